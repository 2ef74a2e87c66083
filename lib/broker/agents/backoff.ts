// Whether and when an agent whose harness has ended is started again (design 9). Pure.
//
// - A harness that ends with an error has failed; so has one that ends at all within `quickMs`.
// - One that somebody has ended, by Ctrl-C say, has not: the signals that ask a process to end count as an end without
//   error, as with systemd's Restart=on-failure, and so do the codes that shells and harnesses make of them.
// - The first restart comes after a second, each further one after twice as long, until one has run for longer.

import type { RestartPolicy } from '../../config/templates.js';

/** A harness that ends sooner has not come up, in milliseconds. */
export const quickMs = 15_000;
export const firstDelayMs = 1000;
export const longestDelayMs = 300_000;

/** How a process ended: with a code, or by a signal where tmux tells (3.3 and later). */
export interface Exit {
  readonly code: number | null;
  readonly signal: number | null;
}

export type AfterExit =
  | { readonly kind: 'stay' }
  /** @property failures in a row, this one included. */
  | { readonly kind: 'restart'; readonly delayMs: number; readonly failures: number };

/** SIGHUP, SIGINT, SIGPIPE and SIGTERM: the same numbers on Linux and macOS. */
const askedToEnd: readonly number[] = [1, 2, 13, 15];

function endedWell({ code, signal }: Exit): boolean {
  return code === 0 || askedToEnd.some((number) => signal === number || code === 128 + number);
}

/**
 * @param ranMs how long it ran, in milliseconds.
 * @param failures quick ones in a row before this.
 */
export function afterExit(policy: RestartPolicy, exit: Exit, ranMs: number, failures: number): AfterExit {
  const quick = ranMs < quickMs;
  if (policy === 'never' || (!quick && endedWell(exit))) return { kind: 'stay' };
  const inARow = quick ? failures + 1 : 1;
  const delayMs = Math.min(firstDelayMs * 2 ** Math.min(inARow - 1, 20), longestDelayMs);
  return { kind: 'restart', delayMs, failures: inARow };
}
