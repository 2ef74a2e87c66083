// How long a page waits before it asks a daemon again. Pure.

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

/** The least time between two answers to the same question, in milliseconds. */
const paceMs = 300;
const restFactor = 10;
/** A daemon that was slow once is not left alone for long: what is shown would be old. */
const longestRestMs = 2000;

/**
 * The wait after an answer, before the same is asked again, in milliseconds: longer for a daemon that has much to do.
 *
 * @param tookMs how long the answer took.
 */
export function restMs(tookMs: number): number {
  return Math.min(longestRestMs, Math.max(paceMs, tookMs * restFactor));
}
