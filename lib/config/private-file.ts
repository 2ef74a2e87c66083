// The files of a LEO_HOME (design 4): written to a new file, synced and renamed, so that a reader, or a crash in the
// middle, finds the old content or the new and nothing between.

import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file as a whole, of mode 0600 unless another is asked for. */
export function writePrivately(path: string, text: string, mode = 0o600): void {
  replaceFile(path, text, (file) => {
    // The mask may have taken something from a mode that is wider.
    if (mode !== 0o600) fchmodSync(file, mode);
  });
}

/**
 * Puts a new file of mode 0600 in a file's place.
 *
 * @param prepare given the new file's descriptor before anybody can find it: for its mode and owner.
 */
export function replaceFile(path: string, text: string, prepare: (file: number) => void): void {
  const temporary = join(dirname(path), `.leo-${randomBytes(6).toString('hex')}.new`);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      prepare(file);
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
