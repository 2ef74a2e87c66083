// Whether a line of the log needs its time in front: a file and a terminal keep a line as it is, whoever reads a pipe or
// the journal's socket notes when it came.

import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/** @param file what the log is written to. */
export function wantsTime(file: number): boolean {
  try {
    return isatty(file) || fstatSync(file).isFile();
  } catch {
    return false; // Closed: nothing is kept.
  }
}
