// Where the daemon is: as the author says, or as LEO_HOME says. Looked up again before each connection, since a
// restarted daemon may have another port or socket.

import { socketOf } from '../../config/daemon-file.js';
import { placesOf } from '../../config/paths.js';

export interface Target {
  /** `http://host:port`; names the host alone when there is a socket. */
  readonly origin: string;
  readonly socket: string | undefined;
  readonly token: string | undefined;
}

/** Where to connect; `url` and `socket` exclude each other. */
export interface TargetOptions {
  /** The daemon's address, such as `http://127.0.0.1:8370`. Needs a token. */
  readonly url?: string;
  /** The path of the daemon's unix socket. Whoever may open it needs no token. */
  readonly socket?: string;
  /** An operator's or a device's token. */
  readonly token?: string;
}

/**
 * How to find the daemon. With neither url nor socket it is the one of `LEO_HOME` (`~/.leo`).
 *
 * @throws {TypeError} for options that cannot be meant.
 */
export function targetFinder(
  options: TargetOptions,
  env: Readonly<Record<string, string | undefined>>,
): () => Target {
  const { url, socket, token } = options;
  if (url !== undefined && socket !== undefined)
    throw new TypeError('give connect() a url or a socket, not both');
  if (url !== undefined) {
    const origin = originOf(url);
    return () => ({ origin, socket: undefined, token });
  }
  if (socket !== undefined) return () => ({ origin: 'http://localhost', socket, token });
  const places = placesOf(env);
  return () => ({
    origin: 'http://localhost',
    socket: socketOf(places),
    token,
  });
}

/** How people are told of a target. */
export function targetName(target: Target): string {
  return target.socket ?? target.origin;
}

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new TypeError(`"${url}" is no address of a daemon; one looks like http://127.0.0.1:8370`);
  }
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.username !== '') {
    throw new TypeError(
      `"${url}" must be an address alone, without a path, a query or a name: ${parsed.origin}`,
    );
  }
  return parsed.origin;
}
