// Bearer tokens as they lie in state/ (design 4, 10): 64 hex characters in a file of mode 0600. A file that somebody
// else may have read, or that leads elsewhere, is never believed.

import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { mustBeOurs, octal } from './folders.js';
import { PlaceError } from './place-error.js';
import { writePrivately } from './private-file.js';

/** More than a token with white space around it ever has, in bytes. */
const maxFileBytes = 1024;

/**
 * The token in a file, made if there is none.
 *
 * @throws {PlaceError} when the file is loose, empty, a link or no file, with the fix.
 */
export function tokenIn(path: string): string {
  return readToken(path) ?? makeToken(path);
}

/**
 * Puts a new token into a file, whatever was there.
 *
 * @throws {PlaceError} when a folder is in the way.
 */
export function makeToken(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new PlaceError(`${path} is not a file; move it away, Leo makes its own`);
  const token = randomBytes(32).toString('hex');
  writePrivately(path, `${token}\n`);
  return token;
}

/**
 * The token in a file; undefined where there is no file.
 *
 * @throws {PlaceError} when the file is loose, empty, a link or no file, with the fix.
 */
export function readToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink())
    throw new PlaceError(`${path} is a link; a token file must be a file of its own`, { mend: `rm ${path}` });
  if (!found.isFile()) throw new PlaceError(`${path} is not a file; move it away, Leo makes its own`);
  mustBeOurs(path, found);
  if ((found.mode & 0o077) !== 0)
    throw new PlaceError(`${path} can be read by others (mode ${octal(found.mode)})`, {
      mend: `chmod 600 ${path}`,
    });
  const token = found.size > maxFileBytes ? '' : readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(token)) {
    throw new PlaceError(`${path} holds no token of 64 hex characters; remove it and a new one is made`, {
      mend: `rm ${path}`,
    });
  }
  return token;
}
