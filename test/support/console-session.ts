// A browser that signs in to the console, told in plain HTTP.

import type { DaemonFile } from '../../lib/config/daemon-file.js';
import { http, post } from './http.js';

export interface ConsoleSession {
  /** `name=value`, as a browser sends it back. */
  readonly cookie: string;
  /** What the page keeps for the header X-Leo-Console. */
  readonly csrf: string;
  /** Both, as the page sends them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A new link's code, as `leo web` gets it. */
export async function newCode({ socket }: Pick<DaemonFile, 'socket'>): Promise<string> {
  const { body } = await http(socket, '/api/v1/console/links', { method: 'POST' });
  const { url } = body.data as { url: string };
  return new URL(url).hash.replace('#sign-in=', '');
}

/** Signs a browser in over TCP. */
export async function signIn(daemon: Pick<DaemonFile, 'socket' | 'http'>): Promise<ConsoleSession> {
  const code = await newCode(daemon);
  const { headers, body } = await post(daemon.http, '/api/v1/console/session', { code });
  const { csrf } = body.data as { csrf: string };
  const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  return { cookie, csrf, headers: { cookie, 'x-leo-console': csrf } };
}
