// Progress of one call: one report under way at a time, and of those that come meanwhile only the latest is
// sent after it. So the agent sees them in order, and a handler may report as often as it likes.

import type { Progress } from '../../wire/bodies/calls.js';

/** The longest message of a report, in characters; longer ones are cut. */
export const maxProgressMessage = 1024;

export class ProgressRelay {
  readonly #send: (progress: Progress) => Promise<unknown>;
  #underWay = false;
  #next: Progress | undefined;

  /** @param send sends one report; it never rejects, and what it could not send is dropped. */
  constructor(send: (progress: Progress) => Promise<unknown>) {
    this.#send = send;
  }

  tell(progress: number, total?: number, message?: string): void {
    this.#next = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: message.slice(0, maxProgressMessage) }),
    };
    if (!this.#underWay) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#underWay = true;
    for (let report = this.#next; report !== undefined; report = this.#next) {
      this.#next = undefined;
      await this.#send(report);
    }
    this.#underWay = false;
  }
}
