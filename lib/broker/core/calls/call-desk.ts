// Where calls change their state, and where it is said: every transition of a call goes through `apply`, so
// that its gateway, the apps and the log are told of each exactly once.

import type { OpenRequest } from '../../../wire/bodies/calls.js';
import { LeoError } from '../../../wire/errors.js';
import type { BrokerEvent } from '../../../wire/events.js';
import type { RequestId } from '../../../wire/ids.js';
import type { Effect } from '../effects.js';
import { type CallEvent, nextCallState } from './call-life.js';
import { type Call, Calls } from './calls.js';

export class CallDesk {
  readonly calls = new Calls();
  #effects: Effect[] = [];

  /** What should happen because of everything since the last time, in order. */
  takeEffects(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  effect(effect: Effect): void {
    this.#effects.push(effect);
  }

  publish(event: BrokerEvent): void {
    this.#effects.push({ type: 'publish', event });
  }

  publishRequest(id: RequestId): void {
    const call = this.calls.get(id);
    if (call !== undefined) this.publish({ type: 'client_tool.request', request: openRequest(call) });
  }

  /**
   * The open call of an id.
   *
   * @throws {LeoError} `already_settled` for one that a result settled, `unknown_request` for any other (design 5).
   */
  mustBeOpen(id: RequestId): Call {
    const call = this.calls.get(id);
    if (call !== undefined) return call;
    throw this.calls.settled(id) === undefined
      ? unknownRequest(id)
      : new LeoError('already_settled', 'a result has settled this call');
  }

  /** Ends a call with a failure that the agent is to read; an ended one stays as it is. */
  end(call: Call, code: string, message: string): void {
    this.apply(call, { type: 'end', code, message });
  }

  /** Puts a call into the state that follows, and says so to whom it concerns. */
  apply(call: Call, event: CallEvent): Call {
    const next = nextCallState(call.life, event);
    if (next.kind === 'refused') throw new LeoError(next.code, next.message);
    if (next.kind === 'same') return call;
    const after: Call = { ...call, life: next.state };
    this.calls.put(after);
    const { id, session, agent, tool } = after;
    switch (next.state.state) {
      case 'claimed':
        this.publish({ type: 'client_tool.claimed', id, clientId: next.state.by });
        this.#effects.push({ type: 'claimed', session, id, by: next.state.by });
        break;
      case 'parked':
        this.publishRequest(id);
        this.#effects.push({ type: 'unclaimed', session, id });
        break;
      case 'settled': {
        const { outcome, result } = next.state;
        if (result !== undefined)
          this.publish({ type: 'client_tool.settled', id, outcome: outcome.ok ? 'ok' : outcome.code });
        else
          this.publish({
            type: 'client_tool.cancelled',
            id,
            agent,
            tool,
            reason: outcome.ok ? 'ok' : outcome.code,
          });
        this.#effects.push({ type: 'outcome', session, id, outcome });
      }
    }
    return after;
  }
}

/** An open call as apps see it. */
export function openRequest(call: Call): OpenRequest {
  const { id, agent, group, tool, arguments: args, timeoutS, createdAt, deadline } = call;
  return {
    id,
    agent,
    group,
    tool,
    arguments: args,
    timeoutS,
    createdAt,
    deadline,
    claimedBy: call.life.state === 'claimed' ? call.life.by : undefined,
  };
}

export function unknownRequest(id: RequestId): LeoError {
  return new LeoError('unknown_request', `no open call has the id ${JSON.stringify(id)}`);
}
