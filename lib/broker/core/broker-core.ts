// The broker's decisions in one place: what an event means for the registry, the calls, the owners and the
// agents, and what should happen because of it. Pure but for its own state: no I/O, no timers, no clock; the
// time comes in with every event, in milliseconds of one clock that never goes back, and effects go out.
//
// What must stay true (design 2, 5, 6, 7), under any order of events:
// - every call that was parked ends exactly once: one `outcome` for its session, and one of
//   `client_tool.settled` (a result) or `client_tool.cancelled` (anything else) for the apps;
// - a refusal (a LeoError) changes nothing;
// - only a connected app claims, shows progress or answers.

import type { Outcome } from '../../wire/content.js';
import { LeoError } from '../../wire/errors.js';
import type { BrokerEvent } from '../../wire/events.js';
import type { ClientId, RequestId, SessionId } from '../../wire/ids.js';
import type { JsonObject } from '../../wire/json.js';
import type { AgentSummary, OpenRequest, Progress } from '../../wire/requests.js';
import type { CatalogueTool } from '../../wire/tool.js';
import { checkedTools } from '../check/tools.js';
import { type CallEvent, nextCallState } from './call-life.js';
import { type Call, Calls } from './calls.js';
import { Clients } from './clients.js';
import { Deadlines } from './deadlines.js';
import type { Effect, StreamId } from './effects.js';
import { Ownership } from './ownership.js';
import { Registry, type RegistryChange } from './registry.js';
import { type Session, Sessions } from './sessions.js';

export interface CoreSettings {
  /** How long a keyed app may be away, in milliseconds (`client_tools.reconnect_grace_s`). */
  readonly reconnectGraceMs: number;
  /** Whether an agent is denied a tool (`deny_tools`). */
  readonly denied: (agent: string, tool: string) => boolean;
}

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
  };
}

/** How many deadlines of ended calls may lie about before they are cleared. */
const sparedDeadlines = 4096;

type Due =
  | { readonly type: 'call'; readonly id: RequestId }
  | { readonly type: 'client'; readonly id: ClientId };

export class BrokerCore {
  readonly #registry = new Registry();
  readonly #clients = new Clients();
  readonly #sessions = new Sessions();
  readonly #calls = new Calls();
  readonly #owners = new Ownership();
  readonly #deadlines = new Deadlines<Due>();
  #settings: CoreSettings;
  #effects: Effect[] = [];

  constructor(settings: CoreSettings) {
    this.#settings = settings;
  }

  /** What should happen because of everything since the last time, in order. */
  takeEffects(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  configure(settings: CoreSettings): void {
    this.#settings = settings;
  }

  // What can be asked

  get revision(): number {
    return this.#registry.revision;
  }

  /** The tools of all apps, sorted by name, as gateways are told of them. */
  catalogue(): readonly CatalogueTool[] {
    return this.#registry.all().map(({ tool, client, group }) => ({
      ...tool,
      group,
      provider: client,
      keyed: this.#clients.get(client)?.keyed ?? false,
    }));
  }

  agents(): readonly AgentSummary[] {
    return this.#sessions.agents();
  }

  /** The agent of a running session. */
  agentOf(session: SessionId): string | undefined {
    return this.#sessions.get(session)?.agent;
  }

  /** How many apps have an open provider stream. */
  get connectedApps(): number {
    return this.#clients.all().filter(({ id }) => this.#clients.isConnected(id)).length;
  }

  isConnected(client: ClientId): boolean {
    return this.#clients.isConnected(client);
  }

  /** Whether an app is known: connected, or away and expected back. */
  isKnown(client: ClientId): boolean {
    return this.#clients.get(client) !== undefined;
  }

  /** Every open call, the oldest first. */
  openRequests(): readonly OpenRequest[] {
    return this.#calls.open().map(openRequest);
  }

  /** The open calls of one app: to its tools, or claimed by it. */
  openRequestsOf(client: ClientId): readonly OpenRequest[] {
    return this.#calls
      .open()
      .filter(
        (call) => call.provider === client || (call.life.state === 'claimed' && call.life.by === client),
      )
      .map(openRequest);
  }

  // Apps

  /** A provider stream has opened. The newer stream of the same app replaces the older at once. */
  connect(client: ClientId, keyed: boolean, stream: StreamId): void {
    const replaced = this.#clients.connect(client, keyed, stream);
    if (replaced !== undefined) this.#effects.push({ type: 'closeStream', stream: replaced });
  }

  /** A provider stream has closed: a keyed app may come back, any other is gone. */
  disconnect(stream: StreamId, now: number): void {
    const client = this.#clients.ofStream(stream);
    if (client === undefined) return;
    if (client.keyed && this.#settings.reconnectGraceMs > 0) this.#expectBack(client.id, now);
    else this.#removeClient(client.id);
  }

  /**
   * @param list the tools as the wire brought them.
   * @throws {LeoError} `unknown_client`, `invalid_tool`, `too_many_tools`, `name_conflict`, looked for in this order.
   */
  register(client: ClientId, group: string, list: readonly unknown[]): readonly string[] {
    this.#mustBeConnected(client);
    const tools = checkedTools(list);
    this.#registryChanged(this.#registry.register(client, group, tools));
    return tools.map((tool) => tool.name);
  }

  /** @throws {LeoError} `unknown_client`, `not_found`. */
  withdraw(client: ClientId, group: string): void {
    this.#mustBeConnected(client);
    if (this.#registry.group(client, group).length === 0) {
      throw new LeoError('not_found', `the app ${client} has no group "${group}"`);
    }
    this.#registryChanged(this.#registry.register(client, group, []));
  }

  /** @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `already_claimed`, `owned_by_other`. */
  claim(client: ClientId, id: RequestId): OpenRequest {
    this.#mustBeConnected(client);
    const call = this.#mustBeOpen(id);
    const owner = this.#owners.ownerOf(call.agent, call.group);
    if (call.life.state === 'parked' && owner !== undefined && owner !== client) {
      throw new LeoError(
        'owned_by_other',
        `the app ${owner} owns the group "${call.group}" for the agent ${call.agent}`,
      );
    }
    const claimed = this.#apply(call, { type: 'claim', by: client });
    this.#owners.claim(call.agent, call.group, client);
    return openRequest(claimed);
  }

  /** @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `not_claimant`. */
  progress(client: ClientId, id: RequestId, progress: Progress): void {
    this.#mustBeConnected(client);
    const call = this.#mustBeOpen(id);
    if (call.life.state !== 'claimed' || call.life.by !== client) {
      throw new LeoError('not_claimant', 'claim the call before you show its progress');
    }
    this.#effects.push({ type: 'progress', session: call.session, id, progress });
  }

  /**
   * @param fingerprint what tells this result from another, for the app that posts the same one again.
   * @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `not_claimant`.
   */
  result(client: ClientId, id: RequestId, outcome: Outcome, fingerprint: string): void {
    this.mayAnswer(client, id, fingerprint);
    const call = this.#calls.get(id);
    if (call !== undefined) this.#apply(call, { type: 'result', by: client, outcome, fingerprint });
  }

  /**
   * Whether an app may answer a call, asked before the result is looked at; a repeat of its own result may.
   *
   * @throws {LeoError} as `result`.
   */
  mayAnswer(client: ClientId, id: RequestId, fingerprint: string): void {
    this.#mustBeConnected(client);
    const life = this.#calls.get(id)?.life ?? this.#calls.settled(id);
    if (life === undefined) throw unknownRequest(id);
    const outcome: Outcome = { ok: true, content: [] };
    const next = nextCallState(life, { type: 'result', by: client, outcome, fingerprint });
    if (next.kind === 'refused') throw new LeoError(next.code, next.message);
  }

  // Agents

  /** A gateway has said hello, for the first time or on a new link. */
  openSession(session: Session): void {
    const { firstOfAgent } = this.#sessions.open(session);
    if (firstOfAgent)
      this.#publish({
        type: 'agent.started',
        name: session.agent,
        harness: session.harness,
        mode: session.mode,
      });
  }

  /** A gateway has learnt what its harness is, or that it re-lists. */
  changeSession(id: SessionId, now: Pick<Session, 'harness' | 'mode'>): void {
    this.#sessions.change(id, now);
  }

  /** A gateway is gone for good: its calls end, and its agent with its last session. */
  closeSession(id: SessionId): void {
    const closed = this.#sessions.close(id);
    if (closed === undefined) return;
    for (const call of this.#calls.open()) {
      if (call.session === id) this.#end(call, 'cancelled', 'the agent has stopped');
    }
    this.#calls.dropSession(id);
    if (!closed.lastOfAgent) return;
    const { agent, harness } = closed.session;
    this.#owners.dropAgent(agent);
    this.#publish({ type: 'agent.stopped', name: agent, harness });
  }

  /**
   * A gateway parks a call. What is wrong with it becomes its outcome, since the agent is to read it.
   *
   * @throws {LeoError} `invalid_request` when the id is open for another session.
   */
  park(request: ParkRequest, now: number): void {
    const { session, id } = request;
    const kept = this.#calls.undelivered(session, id);
    if (kept !== undefined) {
      this.#effects.push({ type: 'outcome', session, id, outcome: kept });
      return;
    }
    const open = this.#calls.get(id);
    if (open !== undefined) {
      if (open.session !== session)
        throw new LeoError('invalid_request', `the call ${id} is another session's`);
      return;
    }
    const agent = this.#sessions.get(session)?.agent;
    if (agent === undefined) throw new LeoError('invalid_request', 'say hello before you park a call');
    const call = this.#newCall(request, agent, now);
    if (typeof call === 'string') {
      const code = this.#settings.denied(agent, request.tool) ? 'denied' : 'no_client';
      this.#effects.push({ type: 'outcome', session, id, outcome: { ok: false, code, message: call } });
      return;
    }
    this.#calls.put(call);
    this.#forgetPastDeadlines();
    for (const at of [call.deadline, call.orphanUntil])
      if (at !== undefined) this.#deadlines.add(at, { type: 'call', id });
    this.#publish({ type: 'client_tool.request', request: openRequest(call) });
    if (request.resume?.claimedBy !== undefined && call.life.state === 'parked')
      this.#effects.push({ type: 'unclaimed', session, id });
  }

  /** The harness has cancelled a call; one that is unknown, or another session's, is left alone. */
  cancel(session: SessionId, id: RequestId): void {
    const call = this.#calls.get(id);
    if (call?.session === session) this.#end(call, 'cancelled', 'the agent has cancelled the call');
  }

  /** The gateway has the outcome of a call. */
  received(session: SessionId, id: RequestId): void {
    this.#calls.delivered(session, id);
  }

  // Time

  /** When `tick` next has something to do, or undefined. */
  get nextDeadline(): number | undefined {
    return this.#deadlines.next;
  }

  /** Does what has fallen due. */
  tick(now: number): void {
    for (let due = this.#deadlines.takeDue(now); due !== undefined; due = this.#deadlines.takeDue(now)) {
      if (due.type === 'client') this.#clientDue(due.id, now);
      else this.#callDue(due.id, now);
    }
  }

  /** Ended calls leave their deadlines behind; a rebuild now and then keeps those from piling up. */
  #forgetPastDeadlines(): void {
    if (this.#deadlines.size < 2 * this.#calls.size + sparedDeadlines) return;
    this.#deadlines.keep((due) => due.type === 'client' || this.#calls.get(due.id) !== undefined);
  }

  #clientDue(id: ClientId, now: number): void {
    const presence = this.#clients.get(id)?.presence;
    if (presence?.state === 'away' && presence.until <= now) this.#removeClient(id);
  }

  #callDue(id: RequestId, now: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (call.deadline !== undefined && call.deadline <= now) {
      const how = call.life.state === 'parked' ? 'no app has taken the call' : 'the app has not answered';
      this.#end(call, 'timeout', `${how} within ${call.timeoutS} s`);
    } else if (call.orphanUntil !== undefined && call.orphanUntil <= now) {
      this.#end(call, 'no_client', `the app that offered "${call.tool}" has not come back`);
    }
  }

  // How it is done

  #newCall(
    { session, id, tool, arguments: args, resume }: ParkRequest,
    agent: string,
    now: number,
  ): Call | string {
    if (this.#settings.denied(agent, tool)) return `the agent ${agent} is denied the tool "${tool}"`;
    const registered = this.#registry.find(tool);
    const base = { id, session, agent, tool, arguments: args } as const;
    if (resume === undefined) {
      if (registered === undefined) return `no connected app offers the tool "${tool}"`;
      const { client, group, tool: definition } = registered;
      return {
        ...base,
        group,
        timeoutS: definition.timeoutS,
        deadline: definition.timeoutS === 0 ? undefined : now + definition.timeoutS * 1000,
        provider: client,
        keyed: this.#clients.get(client)?.keyed ?? false,
        orphanUntil: undefined,
        life: { state: 'parked' },
      };
    }
    // A call from before a restart: its app may be back under its old id, back under a new one, or yet to come.
    const graceEnd = now + this.#settings.reconnectGraceMs;
    if (registered === undefined && resume.keyed && !this.isKnown(resume.provider))
      this.#expectBack(resume.provider, now);
    const provider = registered?.client ?? resume.provider;
    const claimant = resume.claimedBy;
    // A claimant that is not the tool's own app may have a key too: it is waited for, and the call is published
    // again if it does not come.
    const mayComeBack = claimant !== undefined && (claimant !== resume.provider || resume.keyed);
    if (mayComeBack && !this.isKnown(claimant)) this.#expectBack(claimant, now);
    const claimed = claimant !== undefined && this.isKnown(claimant);
    if (claimed) this.#owners.claim(agent, resume.group, claimant);
    return {
      ...base,
      group: registered?.group ?? resume.group,
      timeoutS: registered?.tool.timeoutS ?? Math.ceil((resume.remainingMs ?? 0) / 1000),
      deadline: resume.remainingMs === undefined ? undefined : now + Math.max(0, resume.remainingMs),
      provider,
      keyed: registered === undefined ? resume.keyed : (this.#clients.get(registered.client)?.keyed ?? false),
      orphanUntil: registered === undefined && !resume.keyed ? graceEnd : undefined,
      life: claimed ? { state: 'claimed', by: claimant } : { state: 'parked' },
    };
  }

  #expectBack(client: ClientId, now: number): void {
    const until = now + this.#settings.reconnectGraceMs;
    this.#clients.away(client, until);
    this.#deadlines.add(until, { type: 'client', id: client });
  }

  /** An app is gone for good. */
  #removeClient(client: ClientId): void {
    this.#clients.remove(client);
    this.#owners.dropClient(client);
    for (const call of this.#calls.open()) {
      const claimedHere = call.life.state === 'claimed' && call.life.by === client;
      if (call.provider === client) {
        const waits = call.keyed && call.deadline === undefined;
        if (!waits) this.#end(call, 'no_client', `the app that offered "${call.tool}" has gone`);
        else if (claimedHere) this.#apply(call, { type: 'claimantGone' });
      } else if (claimedHere) this.#apply(call, { type: 'claimantGone' });
    }
    this.#registryChanged(this.#registry.dropClient(client), { callsHaveEnded: true });
  }

  #registryChanged(change: RegistryChange, { callsHaveEnded = false } = {}): void {
    if (!change.changed) return;
    if (!callsHaveEnded) this.#endCallsOf(change);
    this.#adoptOrphans(change);
    this.#effects.push({ type: 'catalogue' });
    const tools = this.#registry.all().map(({ tool }) => tool.name);
    this.#publish({ type: 'client_tools.changed', revision: this.#registry.revision, tools });
  }

  #endCallsOf(change: RegistryChange): void {
    if (change.removed.length === 0) return;
    const gone = new Map(change.removed.map((entry) => [entry.tool.name, entry.client]));
    for (const call of this.#calls.open()) {
      if (gone.get(call.tool) === call.provider)
        this.#end(call, 'no_client', `the app has withdrawn the tool "${call.tool}"`);
    }
  }

  /** A call that outlived its app's old id goes on with the app that now offers its tool. */
  #adoptOrphans(change: RegistryChange): void {
    if (change.added.length === 0) return;
    const added = new Map(change.added.map((entry) => [entry.tool.name, entry]));
    for (const call of this.#calls.open()) {
      const entry = added.get(call.tool);
      if (entry === undefined || entry.client === call.provider || this.isKnown(call.provider)) continue;
      const keyed = this.#clients.get(entry.client)?.keyed ?? false;
      this.#calls.put({ ...call, provider: entry.client, group: entry.group, keyed, orphanUntil: undefined });
      if (call.life.state === 'parked') this.#publishRequest(call.id);
    }
  }

  #mustBeConnected(client: ClientId): void {
    if (this.#clients.isConnected(client)) return;
    throw new LeoError(
      'unknown_client',
      `no connected app has the client_id ${JSON.stringify(client)}; open a provider stream first`,
    );
  }

  /** The open call of an id; one that a result settled is told apart from one that is unknown (design 5). */
  #mustBeOpen(id: RequestId): Call {
    const call = this.#calls.get(id);
    if (call !== undefined) return call;
    throw this.#calls.settled(id) === undefined
      ? unknownRequest(id)
      : new LeoError('already_settled', 'a result has settled this call');
  }

  #end(call: Call, code: string, message: string): void {
    this.#apply(call, { type: 'end', code, message });
  }

  /** Puts a call into the state that follows, and says so to whom it concerns. */
  #apply(call: Call, event: CallEvent): Call {
    const next = nextCallState(call.life, event);
    if (next.kind === 'refused') throw new LeoError(next.code, next.message);
    if (next.kind === 'same') return call;
    const after: Call = { ...call, life: next.state };
    this.#calls.put(after);
    const { id, session, agent, tool } = after;
    switch (next.state.state) {
      case 'claimed':
        this.#publish({ type: 'client_tool.claimed', id, clientId: next.state.by });
        this.#effects.push({ type: 'claimed', session, id, by: next.state.by });
        break;
      case 'parked':
        this.#publishRequest(id);
        this.#effects.push({ type: 'unclaimed', session, id });
        break;
      case 'settled': {
        const { outcome, result } = next.state;
        if (result !== undefined)
          this.#publish({ type: 'client_tool.settled', id, outcome: outcome.ok ? 'ok' : outcome.code });
        else
          this.#publish({
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

  #publishRequest(id: RequestId): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#publish({ type: 'client_tool.request', request: openRequest(call) });
  }

  #publish(event: BrokerEvent): void {
    this.#effects.push({ type: 'publish', event });
  }
}

function openRequest(call: Call): OpenRequest {
  const { id, agent, group, tool, arguments: args, timeoutS, deadline } = call;
  return {
    id,
    agent,
    group,
    tool,
    arguments: args,
    timeoutS,
    deadline,
    claimedBy: call.life.state === 'claimed' ? call.life.by : undefined,
  };
}

function unknownRequest(id: RequestId): LeoError {
  return new LeoError('unknown_request', `no open call has the id ${JSON.stringify(id)}`);
}
