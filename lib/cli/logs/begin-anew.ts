// A log file that has grown large is begun anew with the daemon. launchd only ever adds to it.

import { fstatSync, ftruncateSync } from 'node:fs';
import { maxLogBytes } from '../../config/log-options.js';

/** @param file what the log is written to, opened to add to it; a terminal or a pipe is left alone. */
export function beginAnewIfLarge(file: number): void {
  try {
    const found = fstatSync(file);
    if (found.isFile() && found.size > maxLogBytes) ftruncateSync(file);
  } catch {
    // A log that cannot be looked at is no reason not to start.
  }
}
