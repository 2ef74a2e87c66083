// When to dial again (design 8): soon at first, then ever more slowly, for ever. Pure.

/** Why the last attempt failed; it decides how dear the next one is. */
export type DialFailure =
  /** There is no socket: looking again costs next to nothing. */
  | 'absent'
  /** There is one, and nobody listens. */
  | 'refused'
  /** Cut, timed out, or a network in between. */
  | 'failed'
  /** A daemon answered that it does not speak this protocol. */
  | 'protocol';

const firstMs = 50;
const longestMs: Readonly<Record<DialFailure, number>> = {
  absent: 250,
  refused: 1000,
  failed: 1500,
  protocol: 5000,
};

/**
 * Milliseconds until the next attempt.
 *
 * @param attempt how many have failed since the last link, from 1.
 * @param random from 0 to 1: two hundred gateways must not come back in step.
 */
export function redialDelay(attempt: number, failure: DialFailure, random: number): number {
  const backoff = Math.min(firstMs * 2 ** Math.min(attempt - 1, 20), longestMs[failure]);
  return Math.round(backoff * (0.75 + random / 2));
}
