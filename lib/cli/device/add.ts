// `leo device add NAME`: a device's token, shown once, as text and as a code that its app scans.

import type { Command } from 'commander';
import { type DaemonAddress, daemonAddress } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { say, sayJson } from '../output.js';
import { settleTaken, takeUp } from '../reload-daemon.js';
import {
  changing,
  checkName,
  hasToken,
  newToken,
  orFailure,
  readSettings,
  tokenPath,
} from '../scoped/home.js';
import { daemonUrl, isLoopback, pairingLink } from './pairing.js';

interface Options {
  readonly url?: string;
  readonly json?: boolean;
}

export function addDeviceAddCommand(device: Command): void {
  device
    .command('add')
    .description('add a device, and print its token and a code to scan, once')
    .argument('<name>', 'its name: 1 to 63 of a-z, 0-9, _ and -, the first of them a letter')
    .option('--url <url>', 'where the device reaches the daemon (default: from web in leo.yaml)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA phone reaches the daemon only if it listens beyond loopback: docs/operators.md',
    )
    .action(add);
}

async function add(name: string, { url: given, json }: Options): Promise<void> {
  checkName('device', name);
  const address = daemonAddress(process.env);
  const { places } = address;
  const url = given === undefined ? await urlOf(address) : checkedUrl(given);
  const token = await changing(places, () => {
    if (hasToken(places.devices, name))
      throw new CliError(`there is a device ${name} already; remove it first: leo device remove ${name}`);
    return newToken(places.devices, name);
  });
  const taken = await takeUp(address);
  const link = pairingLink({ name, token, url });
  const path = tokenPath(places.devices, name);
  if (json) sayJson({ name, token, token_file: path, url, pair: link, ...taken });
  else {
    const { qrCode } = await import('./qr-code.js');
    const note = isLoopback(url)
      ? `${url} is this machine: a simulator reaches it, a phone does not. For a phone: docs/operators.md, "Beyond loopback".`
      : `The device must reach ${url}.`;
    say(
      `Scan this in the app on ${name}:`,
      '',
      ...qrCode(link),
      '',
      `token  ${token}`,
      `link   ${link}`,
      '',
      note,
      `Neither is shown again. ${path} keeps the token.`,
    );
  }
  settleTaken(taken);
}

async function urlOf({ places, file }: DaemonAddress): Promise<string> {
  const { config } = await orFailure(() => readSettings(places));
  const url = daemonUrl(config.web, file?.http);
  if (url === undefined) throw misuse('the port is not known while no daemon runs; start it, or give --url');
  return url;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  if (!plain) throw misuse(`--url ${text}: give it as http://host:port or https://host`);
  return url.origin;
}
