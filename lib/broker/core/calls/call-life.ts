// The life of one call (design 7), as a tagged union and a pure transition function.
//
//    parked ──claim──▶ claimed ──result──▶ settled
//      │  ▲               │
//      │  └─claimant gone─┘
//      └── timeout · cancel · no client ──▶ settled
//
// What must stay true: a settled call never changes again, so it ends once for the agent and once for the app
// in whatever order things happen; only its claimant settles a call with a result; a claim or a result sent
// again by the claimant is accepted again and changes nothing.

import { type Outcome, outcomeCode } from '../../../wire/content.js';
import type { ErrorCode } from '../../../wire/errors.js';
import type { ClientId } from '../../../wire/ids.js';

export type CallState =
  | { readonly state: 'parked' }
  | { readonly state: 'claimed'; readonly by: ClientId }
  | {
      readonly state: 'settled';
      readonly outcome: Outcome;
      /** Who settled it with a result, and what tells one result from another; absent for every other end. */
      readonly result?: { readonly by: ClientId; readonly fingerprint: string };
    };

export type CallEvent =
  | { readonly type: 'claim'; readonly by: ClientId }
  | {
      readonly type: 'result';
      readonly by: ClientId;
      readonly outcome: Outcome;
      readonly fingerprint: string;
    }
  | { readonly type: 'claimantGone' }
  /** Any end but a result: the agent is told the failure. */
  | { readonly type: 'end'; readonly code: string; readonly message: string };

export type Transition =
  /** The call is in a new state. */
  | { readonly kind: 'changed'; readonly state: CallState }
  /** The event was taken before, or means nothing now; nothing changes and nobody is told. */
  | { readonly kind: 'same' }
  /** The event is refused to whoever sent it. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

const same: Transition = { kind: 'same' };

/** What an event does to a call. Pure; total over every state and event. */
export function nextCallState(call: CallState, event: CallEvent): Transition {
  switch (event.type) {
    case 'claim':
      if (call.state === 'parked') return { kind: 'changed', state: { state: 'claimed', by: event.by } };
      if (call.state === 'settled') return refusedAsSettled(call);
      return call.by === event.by
        ? same
        : { kind: 'refused', code: 'already_claimed', message: 'another app has claimed this call' };
    case 'result':
      if (call.state === 'settled') {
        const repeated = call.result?.by === event.by && call.result.fingerprint === event.fingerprint;
        return repeated ? same : refusedAsSettled(call);
      }
      if (call.state === 'parked' || call.by !== event.by) {
        return { kind: 'refused', code: 'not_claimant', message: 'claim the call before you answer it' };
      }
      return {
        kind: 'changed',
        state: {
          state: 'settled',
          outcome: event.outcome,
          result: { by: event.by, fingerprint: event.fingerprint },
        },
      };
    case 'claimantGone':
      return call.state === 'claimed' ? { kind: 'changed', state: { state: 'parked' } } : same;
    case 'end':
      if (call.state === 'settled') return same;
      return {
        kind: 'changed',
        state: { state: 'settled', outcome: { ok: false, code: event.code, message: event.message } },
      };
  }
}

/** A call that a result settled says so; any other settled call is as unknown as one that never was (design 5). */
function refusedAsSettled(call: CallState & { state: 'settled' }): Transition {
  return call.result === undefined
    ? {
        kind: 'refused',
        code: 'unknown_request',
        message: `the call has ended (${outcomeCode(call.outcome)})`,
      }
    : { kind: 'refused', code: 'already_settled', message: 'a result has settled this call' };
}
