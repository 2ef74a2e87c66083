// The daemon's folders (design 4): the user's alone, made if they are missing.

import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { DaemonError } from '../daemon-error.js';

/**
 * Makes a folder that is the user's alone, or checks that it is.
 *
 * @throws {DaemonError} `place`, naming the command that mends it.
 */
export function privateFolder(path: string): void {
  const found = madeFolder(path);
  if ((found.mode & 0o077) === 0) return;
  // Others could read tokens or reach the socket; nothing is inside that a stricter mode would break.
  throw new DaemonError('place', `${path} is open to others (mode ${octal(found.mode)}): chmod 700 ${path}`);
}

/** Makes a folder private that Leo itself owns inside its home. */
export function ownFolder(path: string): void {
  const found = madeFolder(path);
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** A folder of ours at a path, made if nothing is there. */
function madeFolder(path: string): Stats {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // What is in the way instead is said below.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      const why = error instanceof Error ? error.message : error;
      throw new DaemonError('place', `${path} cannot be made: ${why}`, { cause: error });
    }
  }
  const found = lstatSync(path);
  if (!found.isDirectory())
    throw new DaemonError('place', `${path} is not a folder; move it away, Leo makes its own`);
  mustBeOurs(path, found);
  return found;
}

/** @throws {DaemonError} `place` when somebody else owns the path. */
export function mustBeOurs(path: string, found: Stats): void {
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    throw new DaemonError(
      'place',
      `${path} belongs to the user with uid ${found.uid}, not to you (${uid}); set LEO_HOME to a folder of your own`,
    );
  }
}

export function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
