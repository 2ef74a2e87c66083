// The broker's decisions in one place: what an event means for the registry, the calls, the owners and the
// agents, and what should happen because of it. Pure but for its own state: no I/O, no timers, no clock; the
// time comes in with every event, in milliseconds of one clock that never goes back, and effects go out.
//
// What must stay true (design 2, 5, 6, 7), under any order of events:
// - every call that was parked ends exactly once: one `outcome` for its session, and one of
//   `client_tool.settled` (a result) or `client_tool.cancelled` (anything else) for the apps;
// - a refusal (a LeoError) changes nothing;
// - only a connected app claims, shows progress or answers.

import type { AgentSummary, Harness } from '../../wire/bodies/agents.js';
import type { OpenRequest, Progress } from '../../wire/bodies/calls.js';
import type { Outcome } from '../../wire/content.js';
import { LeoError } from '../../wire/errors.js';
import type { ClientId, RequestId, SessionId } from '../../wire/ids.js';
import type { CatalogueTool } from '../../wire/tool.js';
import { Apps } from './apps/apps.js';
import { CallDesk, openRequest, unknownRequest } from './calls/call-desk.js';
import { nextCallState } from './calls/call-life.js';
import type { Call } from './calls/calls.js';
import { firstCall, type Known, type ParkRequest, resumedCall } from './calls/new-call.js';
import type { CoreSettings } from './core-settings.js';
import { Deadlines } from './deadlines.js';
import type { Due } from './due.js';
import type { Effect, StreamId } from './effects.js';
import { type Session, Sessions } from './sessions.js';

export type { CoreSettings, ParkRequest };

/** How many deadlines of ended calls may lie about before they are cleared. */
const sparedDeadlines = 4096;

export class BrokerCore {
  readonly #desk = new CallDesk();
  readonly #deadlines = new Deadlines<Due>();
  readonly #sessions = new Sessions();
  readonly #apps: Apps;
  #settings: CoreSettings;

  constructor(settings: CoreSettings) {
    this.#settings = settings;
    this.#apps = new Apps(this.#desk, this.#deadlines, () => this.#settings);
  }

  /** What should happen because of everything since the last time, in order. */
  takeEffects(): readonly Effect[] {
    return this.#desk.takeEffects();
  }

  configure(settings: CoreSettings): void {
    this.#settings = settings;
  }

  // What can be asked

  get revision(): number {
    return this.#apps.revision;
  }

  /** The tools of all apps, sorted by name, as gateways are told of them. */
  catalogue(): readonly CatalogueTool[] {
    return this.#apps.catalogue();
  }

  agents(): readonly AgentSummary[] {
    return this.#sessions.agents();
  }

  /** The agent of a running session. */
  agentOf(session: SessionId): string | undefined {
    return this.#sessions.get(session)?.agent;
  }

  /** The harness of a running session, as far as it has said. */
  harnessOf(session: SessionId): Harness | null {
    return this.#sessions.get(session)?.harness ?? null;
  }

  /** The running sessions. */
  sessions(): readonly Session[] {
    return this.#sessions.all();
  }

  isConnected(client: ClientId): boolean {
    return this.#apps.isConnected(client);
  }

  /** Whether an app is known: connected, or away and expected back. */
  isKnown(client: ClientId): boolean {
    return this.#apps.isKnown(client);
  }

  /** Every open call, the oldest first. */
  openRequests(): readonly OpenRequest[] {
    return this.#desk.calls.open().map(openRequest);
  }

  /** The open calls of one app: to its tools, or claimed by it. */
  openRequestsOf(client: ClientId): readonly OpenRequest[] {
    return this.#desk.calls
      .open()
      .filter(
        (call) => call.provider === client || (call.life.state === 'claimed' && call.life.by === client),
      )
      .map(openRequest);
  }

  // Apps

  /** A provider stream has opened. The newer stream of the same app replaces the older at once. */
  connect(client: ClientId, keyed: boolean, stream: StreamId): void {
    this.#apps.connect(client, keyed, stream);
  }

  /** A provider stream has closed: a keyed app may come back, any other is gone. */
  disconnect(stream: StreamId, now: number): void {
    this.#apps.disconnect(stream, now);
  }

  /** An app may not be here any more and never comes back: all its calls end, whether or not it is connected. */
  dismiss(client: ClientId): void {
    this.#apps.dismiss(client);
  }

  /**
   * @param list the tools as the wire brought them.
   * @throws {LeoError} `unknown_client`, `invalid_tool`, `too_many_tools`, `name_conflict`, looked for in this order.
   */
  register(client: ClientId, group: string, list: readonly unknown[]): readonly string[] {
    return this.#apps.register(client, group, list);
  }

  /** @throws {LeoError} `unknown_client`, `not_found`. */
  withdraw(client: ClientId, group: string): void {
    this.#apps.withdraw(client, group);
  }

  /** @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `already_claimed`, `owned_by_other`. */
  claim(client: ClientId, id: RequestId): OpenRequest {
    this.#apps.mustBeConnected(client);
    const call = this.#desk.mustBeOpen(id);
    const owner = this.#apps.owners.ownerOf(call.agent, call);
    if (call.life.state === 'parked' && owner !== undefined && owner !== client) {
      throw new LeoError(
        'owned_by_other',
        `the app ${owner} owns the group "${call.group}" for the agent ${call.agent}`,
      );
    }
    const claimed = this.#desk.apply(call, { type: 'claim', by: client });
    this.#apps.owners.claim(call.agent, call, client);
    return openRequest(claimed);
  }

  /** @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `not_claimant`. */
  progress(client: ClientId, id: RequestId, progress: Progress): void {
    this.#apps.mustBeConnected(client);
    const call = this.#desk.mustBeOpen(id);
    if (call.life.state !== 'claimed' || call.life.by !== client) {
      throw new LeoError('not_claimant', 'claim the call before you show its progress');
    }
    this.#desk.effect({ type: 'progress', session: call.session, id, progress });
  }

  /**
   * @param fingerprint what tells this result from another, for the app that posts the same one again.
   * @throws {LeoError} `unknown_client`, `unknown_request`, `already_settled`, `not_claimant`.
   */
  result(client: ClientId, id: RequestId, outcome: Outcome, fingerprint: string): void {
    this.mayAnswer(client, id, fingerprint);
    const call = this.#desk.calls.get(id);
    if (call !== undefined) this.#desk.apply(call, { type: 'result', by: client, outcome, fingerprint });
  }

  /**
   * Whether an app may answer a call, asked before the result is looked at; a repeat of its own result may.
   *
   * @throws {LeoError} as `result`.
   */
  mayAnswer(client: ClientId, id: RequestId, fingerprint: string): void {
    this.#apps.mustBeConnected(client);
    const life = this.#desk.calls.get(id)?.life ?? this.#desk.calls.settled(id);
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
      this.#desk.publish({
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
    for (const call of this.#desk.calls.open()) {
      if (call.session === id) this.#desk.end(call, 'cancelled', 'the agent has stopped');
    }
    this.#desk.calls.dropSession(id);
    if (!closed.lastOfAgent) return;
    this.#agentEnded(closed.session.agent, closed.session.harness);
  }

  /** An agent that Leo has started is up. */
  paneStarted(name: string, at: number): void {
    if (this.#sessions.openPane(name, at))
      this.#desk.publish({ type: 'agent.started', name, harness: null, mode: null });
  }

  /** The pane of an agent is gone; its gateways may follow. */
  paneEnded(name: string): void {
    if (this.#sessions.closePane(name)) this.#agentEnded(name, null);
  }

  #agentEnded(name: string, harness: Harness | null): void {
    this.#apps.owners.dropAgent(name);
    this.#desk.publish({ type: 'agent.stopped', name, harness });
  }

  /**
   * A gateway parks a call. What is wrong with it becomes its outcome, since the agent is to read it.
   *
   * @throws {LeoError} `invalid_request` when the id is open for another session.
   */
  park(request: ParkRequest, now: number): void {
    const { session, id } = request;
    const kept = this.#desk.calls.undelivered(session, id);
    if (kept !== undefined) {
      this.#desk.effect({ type: 'outcome', session, id, outcome: kept });
      return;
    }
    const open = this.#desk.calls.get(id);
    if (open !== undefined) {
      if (open.session !== session)
        throw new LeoError('invalid_request', `the call ${id} is another session's`);
      if (request.resume !== undefined) this.#tellClaim(open);
      return;
    }
    const agent = this.#sessions.get(session)?.agent;
    if (agent === undefined) throw new LeoError('invalid_request', 'say hello before you park a call');
    const call = this.#newCall(request, agent, now);
    if (!('id' in call)) {
      this.#desk.effect({ type: 'outcome', session, id, outcome: call, neverParked: true });
      return;
    }
    this.#desk.calls.put(call);
    this.#forgetPastDeadlines();
    for (const at of [call.deadline, call.orphanUntil])
      if (at !== undefined) this.#deadlines.add(at, { type: 'call', id });
    this.#desk.publish({ type: 'client_tool.request', request: openRequest(call) });
    if (request.resume?.claimedBy !== undefined && call.life.state === 'parked')
      this.#desk.effect({ type: 'unclaimed', session, id });
  }

  /** The harness has cancelled a call; one that is unknown, or another session's, is left alone. */
  cancel(session: SessionId, id: RequestId): void {
    const call = this.#desk.calls.get(id);
    if (call?.session === session) this.#desk.end(call, 'cancelled', 'the agent has cancelled the call');
  }

  /**
   * The operator has ended a call, in place of the agent and of the app.
   *
   * @throws {LeoError} `unknown_request`, `already_settled`.
   */
  cancelForOperator(id: RequestId): void {
    this.#desk.end(this.#desk.mustBeOpen(id), 'cancelled', 'the operator has cancelled the call');
  }

  /** The gateway has the outcome of a call. */
  received(session: SessionId, id: RequestId): void {
    this.#desk.calls.delivered(session, id);
  }

  // Time

  /** When `tick` next has something to do, or undefined. */
  get nextDeadline(): number | undefined {
    return this.#deadlines.next;
  }

  /** Does what has fallen due. */
  tick(now: number): void {
    for (let due = this.#deadlines.takeDue(now); due !== undefined; due = this.#deadlines.takeDue(now)) {
      if (due.type === 'client') this.#apps.due(due.id, now);
      else this.#callDue(due.id, now);
    }
  }

  /** Ended calls leave their deadlines behind; a rebuild now and then keeps those from piling up. */
  #forgetPastDeadlines(): void {
    if (this.#deadlines.size < 2 * this.#desk.calls.size + sparedDeadlines) return;
    this.#deadlines.keep((due) => due.type === 'client' || this.#desk.calls.get(due.id) !== undefined);
  }

  #callDue(id: RequestId, now: number): void {
    const call = this.#desk.calls.get(id);
    if (call === undefined) return;
    if (call.deadline !== undefined && call.deadline <= now) {
      const how = call.life.state === 'parked' ? 'no app has taken the call' : 'the app has not answered';
      this.#desk.end(call, 'timeout', `${how} within ${call.timeoutS} s`);
    } else if (call.orphanUntil !== undefined && call.orphanUntil <= now) {
      this.#desk.end(call, 'no_client', `the app that offered "${call.tool}" has not come back`);
    }
  }

  /** A gateway that was without a link has missed who claimed its call, or that nobody has it any more. */
  #tellClaim({ id, session, life }: Call): void {
    if (life.state === 'claimed') this.#desk.effect({ type: 'claimed', session, id, by: life.by });
    else this.#desk.effect({ type: 'unclaimed', session, id });
  }

  /** The call that a gateway parks, or why there is none. */
  #newCall(request: ParkRequest, agent: string, now: number): Call | (Outcome & { ok: false }) {
    const { tool, resume } = request;
    if (this.#settings.denied(agent, tool)) {
      return { ok: false, code: 'denied', message: `the agent ${agent} is denied the tool "${tool}"` };
    }
    const known: Known = {
      agent,
      now,
      reconnectGraceMs: this.#settings.reconnectGraceMs,
      registered: this.#apps.find(tool),
      isKnown: (client) => this.#apps.isKnown(client),
      isKeyed: (client) => this.#apps.isKeyed(client),
    };
    if (resume === undefined) {
      const call = firstCall(request, known);
      return call ?? { ok: false, code: 'no_client', message: `no connected app offers the tool "${tool}"` };
    }
    const { call, expected } = resumedCall(request, resume, known);
    for (const client of expected) this.#apps.expectBack(client, now);
    if (call.life.state === 'claimed') this.#apps.owners.claim(agent, call, call.life.by);
    return call;
  }
}
