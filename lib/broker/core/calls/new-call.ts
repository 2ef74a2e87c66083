// What a call is when it is parked: a new one, or one that comes back after its link, or the daemon, was lost
// (design 7). Pure.

import type { ClientId, RequestId, SessionId } from '../../../wire/ids.js';
import type { JsonObject } from '../../../wire/json.js';
import type { Registered } from '../apps/registry.js';
import type { Call } from './calls.js';

/** A call as a gateway parks it; `resume` when it was parked before, at this broker or an earlier one. */
export interface ParkRequest {
  readonly session: SessionId;
  readonly id: RequestId;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly resume?: {
    readonly provider: ClientId;
    readonly keyed: boolean;
    readonly group: string;
    readonly claimedBy: ClientId | undefined;
    /** Milliseconds left; undefined for a handoff. */
    readonly remainingMs: number | undefined;
    /** Milliseconds since its agent made it. */
    readonly ageMs: number;
  };
}

/** What is known when a call is parked. */
export interface Known {
  readonly agent: string;
  readonly now: number;
  readonly reconnectGraceMs: number;
  /** The tool's registration, if an app has one. */
  readonly registered: Registered | undefined;
  readonly isKnown: (client: ClientId) => boolean;
  readonly isKeyed: (client: ClientId) => boolean;
}

/** A call parked for the first time; undefined where no app offers its tool. */
export function firstCall(request: ParkRequest, known: Known): Call | undefined {
  const { agent, now, registered, isKeyed } = known;
  if (registered === undefined) return undefined;
  const { client, group, tool } = registered;
  // Written out, not spread: this is made thousands of times a second.
  return {
    id: request.id,
    session: request.session,
    agent,
    tool: request.tool,
    arguments: request.arguments,
    group,
    timeoutS: tool.timeoutS,
    createdAt: now,
    deadline: tool.timeoutS === 0 ? undefined : now + tool.timeoutS * 1000,
    provider: client,
    keyed: isKeyed(client),
    orphanUntil: undefined,
    life: { state: 'parked' },
  };
}

/**
 * A call that was parked before: its app may be back under its old id, back under a new one, or yet to come.
 *
 * @returns the call, and the apps that a place is to be kept for, since they may have a key and are not back.
 */
export function resumedCall(
  request: ParkRequest,
  resume: NonNullable<ParkRequest['resume']>,
  { agent, now, reconnectGraceMs, registered, isKnown, isKeyed }: Known,
): { readonly call: Call; readonly expected: readonly ClientId[] } {
  const { provider, keyed, claimedBy, remainingMs, ageMs } = resume;
  const waitedFor = keyed && (registered === undefined || claimedBy === provider);
  // Of a claimant that is not the tool's own app nobody knows whether it has a key: it is waited for.
  const expected = [
    ...(waitedFor ? [provider] : []),
    ...(claimedBy === undefined || claimedBy === provider ? [] : [claimedBy]),
  ].filter((client) => !isKnown(client));
  const claimant =
    claimedBy !== undefined && (isKnown(claimedBy) || expected.includes(claimedBy)) ? claimedBy : undefined;
  const call: Call = {
    id: request.id,
    session: request.session,
    agent,
    tool: request.tool,
    arguments: request.arguments,
    group: registered?.group ?? resume.group,
    timeoutS: registered?.tool.timeoutS ?? Math.ceil((remainingMs ?? 0) / 1000),
    createdAt: Math.max(0, now - Math.max(0, ageMs)),
    deadline: remainingMs === undefined ? undefined : now + Math.max(0, remainingMs),
    provider: registered?.client ?? provider,
    keyed: registered === undefined ? keyed : isKeyed(registered.client),
    orphanUntil: registered === undefined && !keyed ? now + reconnectGraceMs : undefined,
    life: claimant === undefined ? { state: 'parked' } : { state: 'claimed', by: claimant },
  };
  return { call, expected };
}
