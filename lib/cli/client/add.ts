// `leo client add NAME`: a client in leo.yaml, and its token.

import { type Command, Option } from 'commander';
import { withClient } from '../../config/edit-clients.js';
import { agentNamePattern } from '../../wire/names.js';
import { daemonAddress } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { takeUp } from '../reload-daemon.js';
import { changing, checkName, dropToken, newToken, readSettings, writeSettings } from '../scoped/home.js';
import { showToken } from './show-token.js';

interface Options {
  readonly canMessage: readonly string[];
  readonly json?: boolean;
}

export function addClientAddCommand(client: Command): void {
  client
    .command('add')
    .description('add a client, and print its token, once')
    .argument('<name>', 'its name: 1 to 63 of a-z, 0-9, _ and -, the first of them a letter')
    .addOption(
      new Option('--can-message <pattern>', 'an agent that it may message, by name or glob; again for more')
        .argParser((pattern: string, before: readonly string[]) => [...before, pattern])
        .default([], 'none'),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nFor example: leo client add docker-scout --can-message rocket --can-message 'build-*'",
    )
    .action(add);
}

async function add(name: string, { canMessage, json }: Options): Promise<void> {
  checkName('client', name);
  for (const pattern of canMessage) {
    if (!new RegExp(agentNamePattern).test(pattern))
      throw misuse(`--can-message ${JSON.stringify(pattern)}: no agent can have such a name`);
  }
  const address = daemonAddress(process.env);
  const { places } = address;
  const token = await changing(places, () => {
    const { text, config } = readSettings(places);
    if (Object.hasOwn(config.apiClients, name)) {
      throw new CliError(
        `there is a client ${name} already; give it a new token with: leo client rotate ${name}`,
      );
    }
    const changed = withClient(text, name, { canMessage });
    const made = newToken(places.clients, name);
    try {
      writeSettings(places, changed);
    } catch (error) {
      dropToken(places.clients, name);
      throw error;
    }
    return made;
  });
  showToken(
    { name, canMessage, token, places, ...(json === undefined ? {} : { json }) },
    await takeUp(address),
  );
}
