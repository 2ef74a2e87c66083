// `leo agent spawn`: starts an agent of a template.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { WireSpawnBody } from '../../wire/bodies/agents.js';
import { readSpawned } from '../answers.js';
import { daemonAddress, demand } from '../daemon-client.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../table.js';

/** tmux may be slow to start, and is asked several things; in milliseconds. */
const spawnWithinMs = 60_000;

interface Options {
  readonly name?: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly json?: boolean;
}

export function addSpawnCommand(agent: Command): void {
  agent
    .command('spawn')
    .description('start an agent of a template in leo.yaml')
    .argument('<template>', 'a name below `templates`')
    .option('--name <name>', "the agent's name (default: the template's, with -2, -3 where it is taken)")
    .option('--cwd <dir>', "where it works (default: the template's workspace)")
    .option('--prompt <text>', 'its first words')
    .option('--json', 'print JSON')
    .action(async (template: string, { name, cwd, prompt, json }: Options) => {
      const body: WireSpawnBody = {
        template,
        ...(name === undefined ? {} : { name }),
        ...(cwd === undefined ? {} : { cwd: resolve(cwd) }),
        ...(prompt === undefined ? {} : { prompt }),
      };
      const address = daemonAddress(process.env);
      const path = '/api/v1/agents';
      const answer = await demand(address, { method: 'POST', path, body, withinMs: spawnWithinMs });
      const { agent: started } = readSpawned(answer);
      if (json) return sayJson(started);
      const { supervised } = started;
      say(
        oneLine(`${started.name} is started: ${supervised?.harness ?? 'agent'} in ${supervised?.cwd ?? '?'}`),
        `Look at it: leo agent attach ${started.name}   (and away again: Ctrl-B, then d)`,
      );
    });
}
