// `leo mcp-server` in the help. bin/leo.js runs the gateway itself, without this CLI.

import type { Command } from 'commander';
import { usage } from '../../gateway/command-line.js';
import { misuse } from '../failure.js';

export function addMcpServerCommand(program: Command): void {
  const command = program
    .command('mcp-server')
    .description('be the MCP server of one agent, over stdio; harnesses start it (leo mcp-server --help)')
    .allowUnknownOption()
    .action(() => {
      throw misuse('mcp-server must be the first word: leo mcp-server [options]');
    });
  for (const [flags, description] of optionsIn(usage)) command.option(flags, description);
}

/** The options that a usage text lists, as commander takes them. */
function optionsIn(text: string): readonly (readonly [flags: string, description: string])[] {
  const found = text.matchAll(/^ {2}(--\S+) ([A-Z]+) {2,}(.*(?:\n {4,}.*)*)/gm);
  return [...found].map(([, flag, value, words = '']) => [
    `${flag} <${value?.toLowerCase()}>`,
    words.replace(/\s*\n\s*/g, ' '),
  ]);
}
