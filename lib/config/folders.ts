// The folders of a LEO_HOME (design 4): the user's alone, made if they are missing.

import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { PlaceError } from './place-error.js';

/**
 * Makes a folder that is the user's alone, or checks that it is.
 *
 * @throws {PlaceError} naming the command that mends it.
 */
export function privateFolder(path: string): void {
  const found = madeFolder(path);
  if ((found.mode & 0o077) === 0) return;
  // Others could read tokens or reach the socket; nothing is inside that a stricter mode would break.
  throw new PlaceError(`${path} is open to others (mode ${octal(found.mode)})`, {
    mend: `chmod 700 ${path}`,
  });
}

/**
 * Makes a folder private that Leo itself owns inside its home.
 *
 * @throws {PlaceError} where something else is in the way.
 */
export function ownFolder(path: string): void {
  const found = madeFolder(path);
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/**
 * Checks a folder inside Leo's home, and closes it to others if need be.
 *
 * @returns whether there is one.
 * @throws {PlaceError} where something else is in the way.
 */
export function checkOwnFolder(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  ownFolder(path);
  return true;
}

/** A folder of ours at a path, made if nothing is there. */
function madeFolder(path: string): Stats {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // What is in the way instead is said below.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      const why = error instanceof Error ? error.message : error;
      throw new PlaceError(`${path} cannot be made: ${why}`, { cause: error });
    }
  }
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new PlaceError(`${path} is not a folder; move it away, Leo makes its own`);
  mustBeOurs(path, found);
  return found;
}

/** @throws {PlaceError} when somebody else owns the path. */
export function mustBeOurs(path: string, found: Stats): void {
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    throw new PlaceError(
      `${path} belongs to the user with uid ${found.uid}, not to you (${uid}); set LEO_HOME to a folder of your own`,
    );
  }
}

export function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
