// A device's new token, shown once: as text, and as a code that its app scans.

import { type DaemonAddress, daemonAddress } from '../daemon-client.js';
import { misuse } from '../failure.js';
import { say, sayJson } from '../output.js';
import { settleTaken, takeUp } from '../reload-daemon.js';
import { changing, checkName, orFailure, readSettings, tokenPath } from '../scoped/home.js';
import { daemonUrl, isLoopback, pairingLink } from './pairing.js';

export interface DeviceOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** What the option `--url` of both commands says. */
export const urlOption = [
  '--url <url>',
  'where the device reaches the daemon (default: from web in leo.yaml)',
] as const;

/**
 * Makes a device's token, has the daemon take it up, and shows it.
 *
 * @param make makes the token, or says why there can be none; nobody else changes the home meanwhile.
 */
export async function makeAndShow(
  name: string,
  { url: given, json }: DeviceOptions,
  make: (address: DaemonAddress) => string,
): Promise<void> {
  checkName('device', name);
  const address = daemonAddress(process.env);
  const { places } = address;
  const url = given === undefined ? await urlOf(address) : checkedUrl(given);
  const token = await changing(places, () => make(address));
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
