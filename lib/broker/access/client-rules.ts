// What holds for scoped clients (design 10): which agents one may message, and in whose name; the latter for the
// console too. Pure.

import { globMatches } from '../../wire/deny.js';
import { LeoError } from '../../wire/errors.js';
import type { Principal } from './principal.js';

/** What may follow `<client-name>#` in a client's `from`: a session of its own, say, to be answered in. */
export const senderSuffixPattern = /^[A-Za-z0-9._:@/-]{1,128}$/;

/** Whether a name is one that a client may message: letter for letter, or by a glob. */
export function mayMessage(canMessage: readonly string[], name: string): boolean {
  return canMessage.some((pattern) => globMatches(pattern, name));
}

/**
 * The sender that a message is shown as coming from. A client's and the console's are proven: their own name, alone or
 * with a suffix, and their name where they say none. Everybody else's is what they say.
 *
 * @throws {LeoError} `invalid_request` when one of these says another name.
 */
export function senderOf(principal: Principal | null, from: string | undefined): string | undefined {
  if (principal === null || (principal.role !== 'client' && principal.role !== 'console')) return from;
  const { name } = principal;
  if (from === undefined || from === name) return name;
  if (from.startsWith(`${name}#`) && senderSuffixPattern.test(from.slice(name.length + 1))) return from;
  throw new LeoError(
    'invalid_request',
    `at $.from: must be "${name}" or "${name}#" and 1 to 128 of A-Z a-z 0-9 . _ : @ / -`,
  );
}
