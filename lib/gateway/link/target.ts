// Where the daemon is: looked up at every dial, since a daemon may come back elsewhere and a token may change.

import { existsSync, readFileSync } from 'node:fs';
import { socketOf } from '../../config/daemon-file.js';
import type { Places } from '../../config/paths.js';
import type { ServeOptions } from '../command-line.js';

export type Target =
  | { readonly kind: 'unix'; readonly path: string; readonly present: boolean }
  | { readonly kind: 'tcp'; readonly url: URL; readonly token: string };

/** The target of this moment. Throws, with the reason in words, when a token file cannot be read. */
export type FindTarget = () => Target;

/** This home's own daemon: where daemon.json says, or where it would say. */
export function localTarget(places: Places): FindTarget {
  return () => {
    const path = socketOf(places);
    return { kind: 'unix', path, present: existsSync(path) };
  };
}

/** A daemon elsewhere, with a token from a file or from `LEO_TOKEN`. */
export function remoteTarget(
  remote: NonNullable<ServeOptions['remote']>,
  env: Readonly<Record<string, string | undefined>>,
): FindTarget {
  return () => {
    const text = remote.tokenFile === undefined ? env.LEO_TOKEN : readFileSync(remote.tokenFile, 'utf8');
    return { kind: 'tcp', url: remote.url, token: (text ?? '').trim() };
  };
}
