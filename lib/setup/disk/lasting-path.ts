// Paths that outlive an update. Homebrew puts each version of a program into a folder of its own, takes the old one
// away with the next, and keeps a link to the present one beside them.

import { realpathSync } from 'node:fs';

/** The same file by the name that it keeps; the path itself where it has no other. */
export function lastingPath(path: string): string {
  const linked = path.replace(/\/Cellar\/([^/]+)\/[^/]+\//, '/opt/$1/');
  return linked !== path && isSameFile(linked, path) ? linked : path;
}

/** Whether two paths lead to one file. */
export function isSameFile(path: string, other: string): boolean {
  if (path === other) return true;
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false; // One of them leads nowhere.
  }
}
