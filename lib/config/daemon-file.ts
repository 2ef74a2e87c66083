// `state/daemon.json` (design 4): who runs here and where to reach it. Written by the daemon when it is ready;
// read by everybody else. A file that is missing, torn or of another shape means "not known", never an error.

import { readFileSync } from 'node:fs';

export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly epoch: string;
  readonly socket: string;
  /** The loopback address, `http://127.0.0.1:PORT`. */
  readonly http: string;
  readonly started_at: string;
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

function isDaemonFile(value: unknown): value is DaemonFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = value as Partial<Record<keyof DaemonFile, unknown>>;
  return (
    typeof file.pid === 'number' &&
    [file.version, file.epoch, file.socket, file.http, file.started_at].every(
      (text) => typeof text === 'string',
    )
  );
}
