// Every call that this app has to do with, by id: where each stands and what belongs to it. No I/O; each event
// gives what is to be done (calls/call-life.ts decides).

import type { RequestId } from '../../wire/ids.js';
import {
  type CallEffect,
  type CallEvent,
  type CallLife,
  type CallStep,
  firstStep,
  nextStep,
} from './call-life.js';
import { RecentOutcomes } from './recent-outcomes.js';

interface Held<Work> {
  life: CallLife;
  readonly work: Work;
}

/** What is to be done about a call, and what belongs to it. */
export interface Todo<Work> {
  readonly id: RequestId;
  readonly work: Work;
  readonly effect: Exclude<CallEffect, undefined>;
}

export class HeldCalls<Work> {
  readonly #held = new Map<RequestId, Held<Work>>();
  readonly #recent = new RecentOutcomes();

  /** Whether a call is not over. */
  has(id: RequestId): boolean {
    return this.#held.has(id);
  }

  /** The calls that are not over. */
  ids(): readonly RequestId[] {
    return [...this.#held.keys()];
  }

  /**
   * The broker says that a call is open.
   *
   * @param work belongs to the call from now on, unless it is held already.
   */
  listed(id: RequestId, epoch: string, ours: boolean, work: Work): Todo<Work> | undefined {
    const held = this.#held.get(id);
    if (held !== undefined) return this.#take(id, held, nextStep(held.life, { type: 'listed', epoch, ours }));
    const step = firstStep(epoch, this.#recent.get(id));
    if (step.life === undefined) return undefined;
    const entry: Held<Work> = { life: step.life, work };
    this.#held.set(id, entry);
    return this.#take(id, entry, step);
  }

  /** Something happened to a call; nothing comes of it where the call is over. */
  happened(id: RequestId, event: CallEvent): Todo<Work> | undefined {
    if (event.type === 'cancelled') this.#recent.forget(id);
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    if (event.type === 'finished') this.#recent.keep(id, event.outcome);
    return this.#take(id, held, nextStep(held.life, event));
  }

  #take(id: RequestId, held: Held<Work>, step: CallStep): Todo<Work> | undefined {
    if (step.life === undefined) this.#held.delete(id);
    else held.life = step.life;
    return step.effect && { id, work: held.work, effect: step.effect };
  }
}
