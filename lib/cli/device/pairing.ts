// What an app scans to be paired: `leo://pair?name=…&token=…&url=…`. Pure.

import type { Config } from '../../config/config.js';

/** The link of a pairing. */
export function pairingLink(pairing: {
  readonly name: string;
  readonly token: string;
  readonly url: string;
}): string {
  return `leo://pair?${new URLSearchParams({ name: pairing.name, token: pairing.token, url: pairing.url })}`;
}

/**
 * Where a device reaches the daemon, as far as leo.yaml tells: by the first allowed host where the daemon listens
 * beyond loopback, else by the loopback address.
 *
 * @param running the address in daemon.json, which has the port that was really taken.
 * @returns undefined when the port is only known once a daemon runs.
 */
export function daemonUrl(web: Config['web'], running: string | undefined): string | undefined {
  const port = running === undefined ? String(web.port) : new URL(running).port || '80';
  if (port === '0') return undefined;
  const [host] = web.allowedHosts;
  const beyond = !['127.0.0.1', '::1', 'localhost'].includes(web.bind);
  const named = `http://${beyond && host !== undefined ? host : '127.0.0.1'}:${port}`;
  return URL.canParse(named) ? new URL(named).origin : `http://127.0.0.1:${port}`;
}

/** Whether a URL leads nowhere but to the machine that opens it. */
export function isLoopback(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname);
}
