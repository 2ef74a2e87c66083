// What lies at a path, links not followed.

import { lstatSync, type Stats } from 'node:fs';

/** Undefined where nothing does, or where it cannot be told. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // Something on the way is no folder, or another user's: the line about the home says so.
  }
}
