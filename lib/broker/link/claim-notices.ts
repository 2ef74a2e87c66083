// Who has claimed a call, told to its gateway a little later: the gateway needs it only should the daemon be
// lost while the app works, and most calls have ended by then. A claim whose call has ended is never told.

import type { ClientId, RequestId } from '../../wire/ids.js';

/** How much later, in milliseconds. */
const laterMs = 25;

export class ClaimNotices {
  readonly #due = new Map<RequestId, ClientId>();
  readonly #tell: (id: RequestId, claimant: ClientId) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (id: RequestId, claimant: ClientId) => void) {
    this.#tell = tell;
  }

  add(id: RequestId, claimant: ClientId): void {
    this.#due.set(id, claimant);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const [call, by] of this.#due) this.#tell(call, by);
      this.#due.clear();
    }, laterMs);
  }

  /** Takes back a notice; false when it has been told, or there was none. */
  drop(id: RequestId): boolean {
    return this.#due.delete(id);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
