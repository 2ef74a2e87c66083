// `leo tools`: what apps have registered.

import type { Command } from 'commander';
import { shellWord } from '../../config/shell-word.js';
import { type Group, readRegistered } from '../answers.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { exampleArguments } from '../example-arguments.js';
import { lineWidth, say, sayJson } from '../output.js';
import { duration, oneLine, table } from '../table.js';

export function addToolsCommand(program: Command): void {
  program
    .command('tools')
    .description('list the tools that apps offer')
    .option('--json', 'print JSON, with the schemas')
    .action(async ({ json }: { json?: boolean }) => {
      const registered = readRegistered(await ask(daemonAddress(process.env), '/api/v1/client-tools'));
      if (json) return sayJson(registered);
      const rows = registered.groups.flatMap(rowsOf).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
      const first = rows[0]?.[0];
      if (first === undefined) return say('No app offers a tool. Offer one: leo app run FILE.yaml');
      say(table(['TOOL', 'GROUP', 'APP', 'TIMEOUT', 'DESCRIPTION'], rows, lineWidth()));
      const tool = registered.groups.flatMap(({ tools }) => tools).find(({ name }) => name === first);
      const args = JSON.stringify(exampleArguments(tool?.input_schema));
      say('', oneLine(`Try one: leo call ${first} --args ${shellWord(args)}`));
    });
}

function rowsOf(group: Group): readonly (readonly string[])[] {
  return group.tools.map((tool) => [
    tool.name,
    group.group,
    group.connected ? group.client_id : `${group.client_id} (away)`,
    tool.timeout_s === 0 ? 'none' : duration(tool.timeout_s),
    tool.description ?? '',
  ]);
}
