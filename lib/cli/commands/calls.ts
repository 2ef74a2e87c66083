// `leo calls`: the calls that wait for an app.

import type { Command } from 'commander';
import type { WireOpenRequest } from '../../wire/bodies/calls.js';
import { readRequests } from '../answers.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { lineWidth, say, sayJson } from '../output.js';
import { cut, duration, table } from '../table.js';

/** How much of a call's arguments a row shows, in characters. */
const shownArguments = 60;

export function addCallsCommand(program: Command): void {
  program
    .command('calls')
    .description('list the calls that wait for an app')
    .option('--json', 'print JSON, with the whole arguments')
    .action(async ({ json }: { json?: boolean }) => {
      const { requests } = readRequests(
        await ask(daemonAddress(process.env), '/api/v1/client-tools/requests?pending=1'),
      );
      if (json) return sayJson({ requests });
      if (requests.length === 0) return say('No call is waiting. Try a tool: leo tools, then leo call TOOL');
      const now = Date.now();
      const head = ['CALL', 'AGENT', 'TOOL', 'STATE', 'TIME LEFT', 'ARGUMENTS'];
      say(
        table(
          head,
          requests.map((request) => row(request, now)),
          lineWidth(),
        ),
      );
    });
}

function row(request: WireOpenRequest, now: number): readonly string[] {
  return [
    request.id,
    request.agent,
    request.tool,
    request.claimed_by === null ? request.state : `${request.state} by ${request.claimed_by}`,
    request.deadline === null ? 'no limit' : duration((Date.parse(request.deadline) - now) / 1000),
    cut(JSON.stringify(request.arguments), shownArguments),
  ];
}
