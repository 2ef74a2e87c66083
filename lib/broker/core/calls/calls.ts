// The parked calls and what is kept of ended ones (design 7).
//
// What must stay true: an open call is in exactly one place, here; an ended call leaves at once what it held of
// arguments; what stays of it is bounded: its outcome until its gateway has it, and for calls that a result
// settled the claimant and the fingerprint, so that an app that lost an answer may post again.

import type { Outcome } from '../../../wire/content.js';
import type { ClientId, RequestId, SessionId } from '../../../wire/ids.js';
import type { JsonObject } from '../../../wire/json.js';
import type { CallState } from './call-life.js';

/** One call that has not ended, or that just did. */
export interface Call {
  readonly id: RequestId;
  readonly session: SessionId;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutS: number;
  /** When its agent made it, in milliseconds of the broker's clock. */
  readonly createdAt: number;
  /** Milliseconds of the broker's clock; undefined for a handoff. */
  readonly deadline: number | undefined;
  /** The app that answers for the tool. */
  readonly provider: ClientId;
  /** Whether that app comes back under its own key: its handoffs then wait for it without limit. */
  readonly keyed: boolean;
  /**
   * Set on a call that came back after a restart before its app did: until then it waits for an app that
   * registers the tool.
   */
  readonly orphanUntil: number | undefined;
  readonly life: CallState;
}

/** How many calls that a result settled are remembered at least, for the app that posts again. */
const rememberedSettled = 2048;

export class Calls {
  readonly #open = new Map<RequestId, Call>();
  /** In two generations, the older dropped whole: finding the oldest of one map would cost more than all the rest. */
  #settled = new Map<RequestId, CallState>();
  #settledBefore = new Map<RequestId, CallState>();
  readonly #undelivered = new Map<SessionId, Map<RequestId, Outcome>>();

  get(id: RequestId): Call | undefined {
    return this.#open.get(id);
  }

  open(): readonly Call[] {
    return [...this.#open.values()];
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a call, or puts it into its next state. A settled one leaves the table. */
  put(call: Call): void {
    if (call.life.state !== 'settled') {
      this.#open.set(call.id, call);
      // The id is a new call's now; what an earlier one of this id came to is nobody's question any more.
      this.#settled.delete(call.id);
      this.#settledBefore.delete(call.id);
      return;
    }
    this.#open.delete(call.id);
    const outcomes = this.#undelivered.get(call.session) ?? new Map<RequestId, Outcome>();
    outcomes.set(call.id, call.life.outcome);
    this.#undelivered.set(call.session, outcomes);
    if (call.life.result !== undefined) {
      // The outcome itself is not kept here: content may be large, and only its fingerprint is asked for.
      this.#settled.set(call.id, { ...call.life, outcome: { ok: true, content: [] } });
      if (this.#settled.size >= rememberedSettled) {
        this.#settledBefore = this.#settled;
        this.#settled = new Map();
      }
    }
  }

  /** What is remembered of a call that a result settled. */
  settled(id: RequestId): CallState | undefined {
    return this.#settled.get(id) ?? this.#settledBefore.get(id);
  }

  /** The outcome of an ended call that its gateway does not have yet. */
  undelivered(session: SessionId, id: RequestId): Outcome | undefined {
    return this.#undelivered.get(session)?.get(id);
  }

  /** The gateway has the outcome. */
  delivered(session: SessionId, id: RequestId): void {
    const outcomes = this.#undelivered.get(session);
    outcomes?.delete(id);
    if (outcomes?.size === 0) this.#undelivered.delete(session);
  }

  /** The session is over; nobody will ask for its outcomes. */
  dropSession(session: SessionId): void {
    this.#undelivered.delete(session);
  }
}
