// `leo client list`: who may message whom. Never a token.

import type { Command } from 'commander';
import { daemonAddress } from '../daemon-client.js';
import { lineWidth, say, sayJson } from '../output.js';
import { hasToken, orFailure, readSettings, tokenPath } from '../scoped/home.js';
import { table } from '../table.js';

export function addClientListCommand(client: Command): void {
  client
    .command('list')
    .description('list the clients and whom they may message')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { places } = daemonAddress(process.env);
      const { config } = await orFailure(() => readSettings(places));
      const clients = Object.entries(config.apiClients).map(([name, { canMessage }]) => ({
        name,
        can_message: canMessage,
        token_file: hasToken(places.clients, name) ? tokenPath(places.clients, name) : null,
      }));
      if (json) return sayJson({ clients });
      if (clients.length === 0)
        return say('There is no client. Add one: leo client add NAME --can-message AGENT');
      const rows = clients.map(({ name, can_message, token_file }) => [
        name,
        token_file === null ? `none; make one: leo client rotate ${name}` : 'yes',
        can_message.length === 0 ? 'nobody' : can_message.join(', '),
      ]);
      say(table(['CLIENT', 'TOKEN', 'MAY MESSAGE'], rows, lineWidth()));
    });
}
