// `state/daemon.json` (design 4): who runs here and where to reach it. Written by the daemon when it is ready;
// read by everybody else. A file that is missing, torn or of another shape means "not known", never an error.

import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from './paths.js';

export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly epoch: string;
  readonly socket: string;
  /** The loopback address, `http://127.0.0.1:PORT`. */
  readonly http: string;
  readonly started_at: string;
  /** Who started it (`StartedBy`), and so where its log is; a daemon of another version may not say, or say others. */
  readonly started_by?: string;
  /** Which leo.yaml it goes by (file-stamp.ts); a daemon of an older version does not say. */
  readonly config_stamp?: string;
}

/** What daemon.json says, or undefined where there is none that can be read. */
export function readDaemonFile(path: string): DaemonFile | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isDaemonFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The socket to dial: the one that daemon.json names, or where it would be.
 *
 * A socket outside the home lies in a folder below /tmp, which anybody could have made: unless that folder is
 * the user's alone, the plain path is given instead, where nobody listens.
 */
export function socketOf(places: Places): string {
  const path = readDaemonFile(places.daemonFile)?.socket ?? places.socket;
  const folder = dirname(path);
  return folder === places.state || isPrivateFolder(folder) ? path : join(places.state, 'leo.sock');
}

function isPrivateFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0;
}

function isDaemonFile(value: unknown): value is DaemonFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = value as Partial<Record<keyof DaemonFile, unknown>>;
  return (
    typeof file.pid === 'number' &&
    [file.started_by, file.config_stamp].every((text) => text === undefined || typeof text === 'string') &&
    [file.version, file.epoch, file.socket, file.http, file.started_at].every(
      (text) => typeof text === 'string',
    )
  );
}
