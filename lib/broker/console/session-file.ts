// state/console.json: the sessions of the console as hashes, so that a restart of the daemon signs no browser out.
// A file that somebody else may have written or read is not believed: everybody signs in anew.

import { lstatSync, readFileSync } from 'node:fs';
import { writePrivately } from '../../config/private-file.js';
import { isObject } from '../../wire/json.js';
import type { ConsoleSession } from './sessions.js';

/** More than the sessions of any daemon take, in bytes. */
const maxFileBytes = 64 * 1024;

/**
 * The sessions in a file; none where there is no file.
 *
 * @param now no time in the file counts as later than this, in epoch milliseconds.
 * @param warn is told why a file is not believed.
 */
export function readSessions(
  path: string,
  now: number,
  warn: (line: string) => void,
): readonly ConsoleSession[] {
  const fault = (why: string) => {
    warn(`warning: ${path} ${why}; every browser signs in to the console anew: leo web`);
    return [];
  };
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const uid = process.getuid?.();
  if (!found.isFile() || (uid !== undefined && found.uid !== uid)) return fault('is no file of yours');
  if ((found.mode & 0o077) !== 0) return fault('is open to others');
  if (found.size > maxFileBytes) return fault('is too large');
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const list = isObject(content) && Array.isArray(content.sessions) ? content.sessions : undefined;
    if (list === undefined) return fault('holds no sessions');
    return list.flatMap((one) => sessionIn(one, now)).sort((a, b) => a.usedAt - b.usedAt);
  } catch (error) {
    return fault(`cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws {Error} when the disk does not take it. */
export function writeSessions(path: string, sessions: readonly ConsoleSession[]): void {
  const list = sessions.map(({ id, header, createdAt, usedAt }) => ({
    id,
    header,
    created_at: new Date(createdAt).toISOString(),
    used_at: new Date(usedAt).toISOString(),
  }));
  writePrivately(path, `${JSON.stringify({ sessions: list }, null, 2)}\n`);
}

function sessionIn(value: unknown, now: number): readonly ConsoleSession[] {
  if (!isObject(value)) return [];
  const { id, header, created_at, used_at } = value;
  if (!isHash(id) || !isHash(header) || typeof created_at !== 'string' || typeof used_at !== 'string')
    return [];
  const [createdAt, usedAt] = [Date.parse(created_at), Date.parse(used_at)];
  if (Number.isNaN(createdAt) || Number.isNaN(usedAt)) return [];
  return [{ id, header, createdAt: Math.min(createdAt, now), usedAt: Math.min(usedAt, now) }];
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
