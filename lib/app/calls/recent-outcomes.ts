// The outcomes of the latest calls, kept so that a call which comes again after a restart of the daemon is
// answered again and never done twice. Bounded by number and by size; the oldest go first.

import type { RequestId } from '../../wire/ids.js';
import type { WrittenOutcome } from './outcome.js';

/** The most outcomes that are kept. */
export const maxRecentOutcomes = 1024;
/** The most characters of them that are kept, but always the latest one. */
export const maxRecentCharacters = 24 * 1024 * 1024;

export class RecentOutcomes {
  readonly #outcomes = new Map<RequestId, WrittenOutcome>();
  #characters = 0;

  get(id: RequestId): WrittenOutcome | undefined {
    return this.#outcomes.get(id);
  }

  keep(id: RequestId, outcome: WrittenOutcome): void {
    this.forget(id);
    this.#outcomes.set(id, outcome);
    this.#characters += outcome.json.length;
    for (const [oldest] of this.#outcomes) {
      if (this.#outcomes.size <= maxRecentOutcomes && this.#characters <= maxRecentCharacters) return;
      if (oldest !== id) this.forget(oldest);
    }
  }

  forget(id: RequestId): void {
    const outcome = this.#outcomes.get(id);
    if (outcome === undefined) return;
    this.#characters -= outcome.json.length;
    this.#outcomes.delete(id);
  }
}
