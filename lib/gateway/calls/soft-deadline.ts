// When a waiting request is answered with "still waiting" (design 8). Pure.
//
// - A harness that never gives up is never answered so, nor is one whose clock progress restarts, as long as it
//   asked for progress: a call without a token cannot be kept alive.
// - Everywhere else the answer goes out before the harness gives up, so that no result is lost to its clock.

/** How long a harness waits for a call. */
export interface CallLimit {
  /** Milliseconds; undefined where it waits for ever. */
  readonly ms: number | undefined;
  /** Whether progress restarts its clock. */
  readonly progressExtends: boolean;
}

/** How long before the harness's own limit a request is answered, where the limit is long enough. */
const marginMs = 15_000;
/** How often a harness hears of a call that waits. */
const keepAliveMs = 15_000;

/**
 * After how many milliseconds a request is answered with "still waiting"; undefined is never.
 *
 * @param hears whether the request carries a progress token.
 */
export function softDeadlineMs(limit: CallLimit, hears: boolean): number | undefined {
  if (limit.ms === undefined || (limit.progressExtends && hears)) return undefined;
  return Math.max(limit.ms - marginMs, limit.ms / 2);
}

/** How many milliseconds may pass between two signs of life: a harness with a short limit needs more of them. */
export function keepAliveEvery(limit: CallLimit): number {
  return limit.ms === undefined ? keepAliveMs : Math.min(keepAliveMs, limit.ms / 2);
}
