// Time, as the gateway's parts are given it: tests hand in a clock that they move themselves.

export interface Clock {
  /** Milliseconds that never go back, from an arbitrary start. */
  now(): number;
  /** Runs something later; the returned function calls it off and may be called twice. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's clock. Its timers do not keep the process alive: only stdin does. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
