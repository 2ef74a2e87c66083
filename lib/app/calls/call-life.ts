// The life of one call at the app, as a tagged union and a pure transition function.
//
//   ──listed──▶ claiming ──claimed──▶ running ──finished──▶ answering ──accepted──▶ over
//                   └──refused──▶ over    └──cancelled──▶ over (the handler is aborted)
//
// What must stay true:
// - A handler runs once for a call, however often the call is listed. A daemon that restarted lists it again
//   (by `hello` or by a new request event); then only the claim and the answer are made again.
// - A call of an epoch that is gone is not over: its gateway parks it again at the new daemon some time later.
//   A call of the present epoch that `hello` does not list is over.
// - Answers of the daemon and events of the stream come over different connections and overtake each other. A
//   call that is listed while a claim or a result of it is under way is remembered as listed, and asked for
//   again after the older answer: a repeat changes nothing, and no call is lost.
// - After `over` nothing is sent for the call; an outcome that was made stays among the recent ones.

import type { LeoAppErrorCode } from '../errors.js';
import { failure, type WrittenOutcome } from './outcome.js';

/** Whether this app is the claimant, as far as it knows. */
export type Claim =
  /** The broker said so. */
  | 'held'
  /** A claim is under way. */
  | 'asked'
  /** A claim is under way, and since it was sent the call was listed again. */
  | 'asked_before_listed'
  /** The daemon that knew is gone. */
  | 'lost';

export type CallLife =
  | { readonly step: 'claiming'; readonly epoch: string; readonly listedAgain: boolean }
  | { readonly step: 'running'; readonly epoch: string; readonly claim: Claim }
  | {
      readonly step: 'answering';
      readonly epoch: string;
      readonly claim: Claim;
      readonly outcome: WrittenOutcome;
      /** Whether the result is under way. */
      readonly posting: boolean;
      /** How it was listed since the result was sent, if it was. */
      readonly listedAgain: 'no' | 'open' | 'ours';
    };

export type CallEvent =
  /** The broker says that the call is open: parked, or (`ours`) claimed by this app. */
  | { readonly type: 'listed'; readonly epoch: string; readonly ours: boolean }
  /** A `hello` came without the call. */
  | { readonly type: 'unlisted'; readonly epoch: string }
  | { readonly type: 'cancelled'; readonly reason: string }
  /** The app stops: what is not done is given up, what is done is still answered. */
  | { readonly type: 'closing'; readonly reason: string }
  | { readonly type: 'claimed' }
  | { readonly type: 'claim_refused'; readonly code: LeoAppErrorCode }
  | { readonly type: 'finished'; readonly outcome: WrittenOutcome }
  | { readonly type: 'accepted' }
  | { readonly type: 'result_refused'; readonly code: LeoAppErrorCode; readonly message: string };

export type CallEffect =
  | { readonly do: 'claim' }
  | { readonly do: 'run' }
  | { readonly do: 'post'; readonly outcome: WrittenOutcome }
  | { readonly do: 'abort'; readonly reason: string }
  | undefined;

/** What an event makes of a call: its next life, undefined when it is over, and what is to be done. */
export interface CallStep {
  readonly life: CallLife | undefined;
  readonly effect: CallEffect;
}

const claim: CallEffect = { do: 'claim' };

/** The first step of a call that is listed; with the outcome of an earlier run, if one is kept. */
export function firstStep(epoch: string, kept: WrittenOutcome | undefined): CallStep {
  return kept === undefined
    ? { life: { step: 'claiming', epoch, listedAgain: false }, effect: claim }
    : { life: answering(epoch, 'asked', kept, false), effect: claim };
}

/** What an event makes of a call. Pure; total over every life and event. */
export function nextStep(life: CallLife, event: CallEvent): CallStep {
  switch (life.step) {
    case 'claiming':
      return whileClaiming(life, event);
    case 'running':
      return whileRunning(life, event);
    case 'answering':
      return whileAnswering(life, event);
  }
}

function whileClaiming(life: CallLife & { step: 'claiming' }, event: CallEvent): CallStep {
  switch (event.type) {
    case 'listed':
      return stay({ ...life, epoch: event.epoch, listedAgain: true });
    case 'claimed':
      if (life.listedAgain) return { life: { ...life, listedAgain: false }, effect: claim };
      return { life: { step: 'running', epoch: life.epoch, claim: 'held' }, effect: { do: 'run' } };
    case 'claim_refused':
      return life.listedAgain ? { life: { ...life, listedAgain: false }, effect: claim } : over;
    case 'cancelled':
    case 'closing':
      return over;
    // A `hello` without the call: the claim under way will be refused, or has been accepted by a later state.
    default:
      return stay(life);
  }
}

function whileRunning(life: CallLife & { step: 'running' }, event: CallEvent): CallStep {
  switch (event.type) {
    case 'listed': {
      const asked = askedAgain(life.claim);
      if (event.ours) return stay({ ...life, epoch: event.epoch, claim: 'held' });
      return {
        life: { ...life, epoch: event.epoch, claim: asked },
        effect: asked === 'asked' ? claim : undefined,
      };
    }
    case 'unlisted':
      if (event.epoch !== life.epoch) return stay({ ...life, claim: 'lost' });
      return { life: undefined, effect: { do: 'abort', reason: 'the call has ended' } };
    case 'cancelled':
    case 'closing':
      return { life: undefined, effect: { do: 'abort', reason: event.reason } };
    case 'claimed':
      if (life.claim === 'asked_before_listed') return { life: { ...life, claim: 'asked' }, effect: claim };
      return stay({ ...life, claim: 'held' });
    case 'claim_refused':
      if (life.claim === 'asked_before_listed') return { life: { ...life, claim: 'asked' }, effect: claim };
      if (event.code === 'unknown_request') return stay({ ...life, claim: 'lost' });
      return { life: undefined, effect: { do: 'abort', reason: 'another app does this call' } };
    case 'finished': {
      const waits = life.claim === 'asked' || life.claim === 'asked_before_listed';
      const next = answering(life.epoch, life.claim, event.outcome, !waits);
      return { life: next, effect: waits ? undefined : { do: 'post', outcome: event.outcome } };
    }
    default:
      return stay(life);
  }
}

function whileAnswering(life: CallLife & { step: 'answering' }, event: CallEvent): CallStep {
  const post: CallStep = {
    life: { ...life, claim: 'held', posting: true, listedAgain: 'no' },
    effect: { do: 'post', outcome: life.outcome },
  };
  const claimAgain: CallStep = {
    life: { ...life, claim: 'asked', posting: false, listedAgain: 'no' },
    effect: claim,
  };
  switch (event.type) {
    case 'listed':
      if (life.posting)
        return stay({ ...life, epoch: event.epoch, listedAgain: event.ours ? 'ours' : 'open' });
      return stay({ ...life, epoch: event.epoch, claim: 'asked_before_listed' });
    case 'cancelled':
      return over;
    case 'claimed':
      if (life.posting) return stay(life);
      return life.claim === 'asked_before_listed' ? claimAgain : post;
    case 'claim_refused':
      if (life.posting) return stay(life);
      return life.claim === 'asked_before_listed' ? claimAgain : over;
    case 'accepted':
      // Perhaps by a daemon that is gone: whoever listed the call since then has not got this answer.
      return life.listedAgain === 'no' ? over : life.listedAgain === 'ours' ? post : claimAgain;
    case 'result_refused':
      if (isRefusalOfContent(event.code)) {
        // The agent is told, and the call never hangs; a failure that is refused too is given up.
        if (life.outcome.code !== 'ok') return over;
        const outcome = failure('invalid_result', event.message);
        return { life: { ...life, outcome, listedAgain: 'no' }, effect: { do: 'post', outcome } };
      }
      if (life.listedAgain === 'ours') return post;
      return life.listedAgain === 'open' ? claimAgain : over;
    default:
      return stay(life);
  }
}

/** Whether the daemon refused what the result says, and not that it came. */
function isRefusalOfContent(code: LeoAppErrorCode): boolean {
  return code === 'invalid_result' || code === 'invalid_request' || code === 'too_large';
}

function askedAgain(claim: Claim): Claim {
  return claim === 'asked' || claim === 'asked_before_listed' ? 'asked_before_listed' : 'asked';
}

function answering(epoch: string, claim: Claim, outcome: WrittenOutcome, posting: boolean): CallLife {
  return { step: 'answering', epoch, claim, outcome, posting, listedAgain: 'no' };
}

const over: CallStep = { life: undefined, effect: undefined };

function stay(life: CallLife): CallStep {
  return { life, effect: undefined };
}
