// The files of a LEO_HOME (design 4): written to a new file, synced and renamed, so that a reader, or a crash in the
// middle, finds the old content or the new and nothing between.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file of mode 0600 as a whole. */
export function writePrivately(path: string, text: string): void {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.new`);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
