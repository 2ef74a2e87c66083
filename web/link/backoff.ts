// How long a page waits before it asks a daemon again that did not answer. Pure.

const firstMs = 250;
const longestMs = 8000;

/**
 * The wait before another attempt, in milliseconds.
 *
 * @param failures how many attempts have failed in a row, from 1.
 * @param random from 0 up to 1: up to half of the wait is left to chance, so that browsers do not come all at once.
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 16));
  return full * (1 - random / 2);
}
