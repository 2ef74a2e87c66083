// Progress of one waiting request, as MCP wants it: values that only grow (design 8). What the app says is
// passed on; while it says nothing, a sign of life goes out, since some harnesses give up a silent call.

import type { Clock } from '../clock.js';
import type { AppProgress } from '../link/messages.js';

/** A value above another: the app's own where that grows, else the least more. */
export function nextProgress(last: number, wanted: number): number {
  if (wanted > last) return wanted;
  const more = last + 1e-6;
  return more > last ? more : last + Math.abs(last) * 2 ** -51;
}

/** Reports progress until it is stopped. */
export class ProgressReporter {
  #last = 0;
  #total: number | undefined;
  #callOff = () => {};
  readonly #since: number;

  constructor(
    private readonly clock: Clock,
    private readonly tool: string,
    /** How often, in milliseconds, a harness hears of a call that waits. */
    private readonly everyMs: number,
    private readonly send: (progress: AppProgress) => void,
  ) {
    this.#since = clock.now();
    this.#rest();
  }

  /** The app has said how far it is. */
  report(progress: AppProgress): void {
    this.#last = nextProgress(this.#last, progress.progress);
    this.#total = progress.total;
    this.send({ ...progress, progress: this.#last });
    this.#callOff();
    this.#rest();
  }

  stop(): void {
    this.#callOff();
  }

  #rest(): void {
    this.#callOff = this.clock.after(this.everyMs, () => {
      this.#last = nextProgress(this.#last, this.#last);
      const seconds = Math.round((this.clock.now() - this.#since) / 1000);
      this.send({
        progress: this.#last,
        ...(this.#total === undefined ? {} : { total: this.#total }),
        message: `waiting for ${this.tool}, ${seconds} s so far`,
      });
      this.#rest();
    });
  }
}
