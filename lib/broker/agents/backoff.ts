// Whether and when an agent whose harness has ended is started again (design 9). Pure.
//
// - A harness that ends with an error has failed; so has one that ends at all within `quickMs`.
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

/**
 * @param ranMs how long it ran, in milliseconds.
 * @param failures quick ones in a row before this.
 */
export function afterExit(policy: RestartPolicy, exit: Exit, ranMs: number, failures: number): AfterExit {
  const quick = ranMs < quickMs;
  if (policy === 'never' || (!quick && exit.code === 0)) return { kind: 'stay' };
  const inARow = quick ? failures + 1 : 1;
  const delayMs = Math.min(firstDelayMs * 2 ** Math.min(inARow - 1, 20), longestDelayMs);
  return { kind: 'restart', delayMs, failures: inARow };
}
