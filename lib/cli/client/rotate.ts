// `leo client rotate NAME`: a new token; the old one counts no more.

import type { Command } from 'commander';
import { daemonAddress } from '../daemon-client.js';
import { takeUp } from '../reload-daemon.js';
import { changing, checkName, newToken, readSettings } from '../scoped/home.js';
import { unknownClient } from '../scoped/unknown.js';
import { showToken } from './show-token.js';

export function addClientRotateCommand(client: Command): void {
  client
    .command('rotate')
    .description('give a client a new token, and print it, once; the old one ends at once')
    .argument('<name>', 'the client')
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      checkName('client', name);
      const address = daemonAddress(process.env);
      const { places } = address;
      const made = await changing(places, () => {
        const { apiClients } = readSettings(places).config;
        const found = Object.hasOwn(apiClients, name) ? apiClients[name] : undefined;
        if (found === undefined) throw unknownClient(name, Object.keys(apiClients));
        return { canMessage: found.canMessage, token: newToken(places.clients, name) };
      });
      showToken({ name, ...made, places, ...(json === undefined ? {} : { json }) }, await takeUp(address));
    });
}
