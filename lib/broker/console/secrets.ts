// The secrets of the console: 256 bits of chance, as base64url. Kept nowhere but as hashes.

import { createHash, randomBytes } from 'node:crypto';
import { consoleSecretPattern } from '../../wire/console.js';

const form = new RegExp(consoleSecretPattern);

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether a text can be a secret at all. */
export function isSecret(text: string): boolean {
  return form.test(text);
}
