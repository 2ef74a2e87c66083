// `leo agent list`: the agents that run, and Leo's own that have ended.

import type { Command } from 'commander';
import type { WireAgent } from '../../wire/bodies/agents.js';
import { readAgents } from '../answers.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { lineWidth, say, sayJson } from '../output.js';
import { duration, oneLine, table } from '../table.js';

export function addListCommand(agent: Command): void {
  agent
    .command('list')
    .description('list the agents')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { agents } = readAgents(await ask(daemonAddress(process.env), '/api/v1/agents'));
      if (json) return sayJson({ agents });
      if (agents.length === 0) return say('No agent is running. Start one: leo agent spawn TEMPLATE');
      const now = Date.now();
      const head = ['AGENT', 'KIND', 'STATE', 'HARNESS', 'TOOLS', 'SESSIONS', 'SINCE'];
      say(
        table(
          head,
          agents.map((one) => row(one, now)),
          lineWidth(),
        ),
      );
      const ended = agents.filter(({ supervised }) => supervised !== null && supervised.detail !== null);
      if (ended.length === 0) return;
      say('', ...ended.map((one) => note(one, now)));
    });
}

function row(agent: WireAgent, now: number): readonly string[] {
  const { name, kind, harness, mode, sessions, started_at, supervised } = agent;
  return [
    name,
    kind,
    supervised?.state ?? 'running',
    harness === null ? (supervised?.harness ?? '-') : `${harness.name} ${harness.version}`,
    mode ?? '-',
    String(sessions),
    duration((now - Date.parse(started_at)) / 1000),
  ];
}

/** Why an agent is not running, and what to type. */
function note({ name, supervised }: WireAgent, now: number): string {
  const at = supervised?.restart_at ?? null;
  const mend =
    at !== null
      ? `started again in ${duration((Date.parse(at) - now) / 1000)}`
      : supervised?.state === 'exited'
        ? `its last words: leo agent logs ${name}`
        : `start it again: leo agent spawn ${supervised?.template ?? ''} --name ${name}`;
  return oneLine(`${name}: ${supervised?.detail ?? ''}; ${mend}`);
}
