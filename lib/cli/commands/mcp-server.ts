// `leo mcp-server` in the help. bin/leo.js runs the gateway itself, without this CLI.

import type { Command } from 'commander';
import { misuse } from '../failure.js';

export function addMcpServerCommand(program: Command): void {
  program
    .command('mcp-server')
    .description('be the MCP server of one agent, over stdio; harnesses start it (leo mcp-server --help)')
    .allowUnknownOption()
    .action(() => {
      throw misuse('mcp-server must be the first word: leo mcp-server [options]');
    });
}
