// The calls that this gateway holds (design 7, 8). Pure but for its own table; no clock, no I/O.
//
//   open ──outcome──▶ given to those who wait, and gone
//     │                    └─ nobody waits (the harness's request was answered "still waiting") ─▶ kept
//     └──cancelled by the harness ─▶ gone
//
// - A call is held, arguments and all, until its outcome is here: every new link is sent it again.
// - An outcome is given once. One that nobody waits for is kept for `leo_app_wait` until the session ends.

import type { RequestId } from '../../wire/ids.js';
import type { JsonObject } from '../../wire/json.js';
import type { WireCall } from '../../wire/link.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { RelayedOutcome } from '../link/messages.js';

interface HeldCall {
  readonly tool: CatalogueTool;
  readonly arguments: JsonObject;
  readonly openedAt: number;
  /** When the call's time is up; undefined for a handoff. */
  readonly deadline: number | undefined;
  readonly claimedBy: string | undefined;
  /** Whether a broker has been sent it. */
  readonly sent: boolean;
}

export type Found =
  | { readonly kind: 'open'; readonly tool: string }
  | { readonly kind: 'kept'; readonly outcome: RelayedOutcome }
  | { readonly kind: 'unknown' };

/** What a call has left at least when it is sent again: its app may be on its way back with the result. */
export const minRemainingMs = 5000;

export class HeldCalls {
  readonly #open = new Map<RequestId, HeldCall>();
  readonly #kept = new Map<RequestId, RelayedOutcome>();

  open(id: RequestId, tool: CatalogueTool, args: JsonObject, now: number): void {
    const deadline = tool.timeoutS === 0 ? undefined : now + tool.timeoutS * 1000;
    this.#open.set(id, { tool, arguments: args, openedAt: now, deadline, claimedBy: undefined, sent: false });
  }

  /** What to send for a call on a new link. */
  toSend(id: RequestId, now: number): WireCall | undefined {
    const call = this.#open.get(id);
    if (call === undefined) return undefined;
    const wire = { tool: call.tool.name, arguments: call.arguments };
    if (!call.sent) return wire;
    return {
      ...wire,
      resume: {
        provider: call.tool.provider,
        keyed: call.tool.keyed,
        group: call.tool.group,
        claimed_by: call.claimedBy ?? null,
        remaining_ms: call.deadline === undefined ? null : Math.max(call.deadline - now, minRemainingMs),
        age_ms: Math.max(0, now - call.openedAt),
      },
    };
  }

  /** A broker has been sent the call. */
  sent(id: RequestId): void {
    this.#change(id, { sent: true });
  }

  claimed(id: RequestId, claimant: string): void {
    this.#change(id, { claimedBy: claimant });
  }

  unclaimed(id: RequestId): void {
    this.#change(id, { claimedBy: undefined });
  }

  /** The call ended. Keeps the outcome when nobody waits for it; says whether the call was open. */
  settle(id: RequestId, outcome: RelayedOutcome, awaited: boolean): boolean {
    if (!this.#open.delete(id)) return false;
    if (awaited) return true;
    this.#kept.set(id, outcome);
    return true;
  }

  /** The harness wants the call no longer; says whether it was open. */
  cancel(id: RequestId): boolean {
    return this.#open.delete(id);
  }

  /** Looks a call up for `leo_app_wait`; a kept outcome is given out and gone. */
  take(id: RequestId): Found {
    const open = this.#open.get(id);
    if (open !== undefined) return { kind: 'open', tool: open.tool.name };
    const outcome = this.#kept.get(id);
    if (outcome === undefined) return { kind: 'unknown' };
    this.#kept.delete(id);
    return { kind: 'kept', outcome };
  }

  /** The open calls, oldest first. */
  ids(): RequestId[] {
    return [...this.#open.keys()];
  }

  #change(id: RequestId, change: Partial<HeldCall>): void {
    const call = this.#open.get(id);
    if (call !== undefined) this.#open.set(id, { ...call, ...change });
  }
}
