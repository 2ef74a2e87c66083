// The bearer tokens of the operator and of agents (design 4, 10): 64 hex characters in a file of mode 0600, made
// on first start. Only hashes stay in memory.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { writePrivately } from '../../config/private-file.js';
import { DaemonError } from '../daemon-error.js';
import { mustBeOurs, octal } from './folders.js';

/**
 * The token in a file, made if there is none.
 *
 * @throws {DaemonError} `place` when the file is loose, empty, a link or no file, with the fix.
 */
export function tokenIn(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const token = randomBytes(32).toString('hex');
    writePrivately(path, `${token}\n`);
    return token;
  }
  if (found.isSymbolicLink())
    throw new DaemonError('place', `${path} is a link; a token file must be a file of its own: rm ${path}`);
  if (!found.isFile())
    throw new DaemonError('place', `${path} is not a file; move it away, Leo makes its own`);
  mustBeOurs(path, found);
  if ((found.mode & 0o077) !== 0) {
    throw new DaemonError(
      'place',
      `${path} can be read by others (mode ${octal(found.mode)}): chmod 600 ${path}`,
    );
  }
  const token = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(token)) {
    throw new DaemonError(
      'place',
      `${path} holds no token of 64 hex characters; remove it and a new one is made: rm ${path}`,
    );
  }
  return token;
}

/** The hash that a token is compared by. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether a bearer is the token of a hash, in a time that tells nothing of how much of it was right. */
export function isToken(bearer: string, hash: Buffer): boolean {
  return timingSafeEqual(tokenHash(bearer), hash);
}
