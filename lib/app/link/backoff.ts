// How long to wait before trying again: at once at first, then longer, never for long, and not all apps at the
// same moment.

const firstMs = 50;
const longestMs = 5000;

/**
 * The wait before another attempt, in milliseconds.
 *
 * @param attempt how many attempts have failed in a row, from 1.
 * @param random from 0 up to 1: up to half of the wait is left to chance.
 */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 16));
  return full * (1 - random / 2);
}

/** A connection that lasted this long, in milliseconds, makes the next wait short again. */
export const steadyMs = 2 * longestMs;
