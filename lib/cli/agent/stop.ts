// `leo agent stop`: ends an agent that Leo has started.

import type { Command } from 'commander';
import { readStopped } from '../answers.js';
import { daemonAddress, demand } from '../daemon-client.js';
import { say, sayJson } from '../output.js';

/** A harness may take its time to go; in milliseconds. */
const stopWithinMs = 60_000;

export function addStopCommand(agent: Command): void {
  agent
    .command('stop')
    .description('end an agent that Leo has started')
    .argument('<name>', "the agent's name, or how it ends")
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      // By the body: a name may hold what a path takes for its own.
      const what = {
        method: 'POST',
        path: '/api/agent/stop',
        body: { name },
        withinMs: stopWithinMs,
      } as const;
      const stopped = readStopped(await demand(daemonAddress(process.env), what));
      if (json) return sayJson(stopped);
      say(`${stopped.name} is stopped.`);
    });
}
