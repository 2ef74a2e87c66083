// `leo client remove NAME`: its token first, so that it is out whatever else goes wrong, then its place in leo.yaml.

import type { Command } from 'commander';
import { ConfigError } from '../../config/config.js';
import { withoutClient } from '../../config/edit-clients.js';
import { daemonAddress } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say, sayJson } from '../output.js';
import { settleTaken, takeUp } from '../reload-daemon.js';
import { changing, checkName, dropToken, hasToken, readSettings, writeSettings } from '../scoped/home.js';
import { unknownClient } from '../scoped/unknown.js';

export function addClientRemoveCommand(client: Command): void {
  client
    .command('remove')
    .description('remove a client; its token ends at once')
    .argument('<name>', 'the client')
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      checkName('client', name);
      const address = daemonAddress(process.env);
      const { places } = address;
      const fault = await changing(places, () => {
        const had = hasToken(places.clients, name);
        dropToken(places.clients, name);
        try {
          const { text, config } = readSettings(places);
          if (Object.hasOwn(config.apiClients, name)) writeSettings(places, withoutClient(text, name));
          else if (!had) throw unknownClient(name, Object.keys(config.apiClients));
          return undefined;
        } catch (error) {
          // What leo.yaml says cannot be told: without the token it says nothing that counts.
          if (error instanceof ConfigError && had) return error;
          throw error;
        }
      });
      const taken = await takeUp(address);
      if (fault !== undefined) {
        throw new CliError(
          `the token of ${name} is gone, but leo.yaml may still name it and cannot be changed: ${fault.message}`,
          1,
          { cause: fault },
        );
      }
      if (json) sayJson({ name, removed: true, ...taken });
      else say(`The client ${name} is removed; its token counts no more.`);
      settleTaken(taken);
    });
}
