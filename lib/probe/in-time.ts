// Waiting with an end to it.

import { ProbeError } from './probe-error.js';

export interface Bound {
  readonly limitMs: number;
  /** Ends the wait, too. */
  readonly signal?: AbortSignal | undefined;
  /** What is said when the time is over. */
  readonly late: () => string;
}

/**
 * What a promise brings, unless the time is over or the signal comes first. The promise goes on then, with nobody
 * to hear of it.
 *
 * @throws {ProbeError}
 */
export async function inTime<T>(promise: Promise<T>, { limitMs, signal, late }: Bound): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const over = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new ProbeError(late())), limitMs);
    stop = () => refuse(new ProbeError('stopped'));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
  }
}
