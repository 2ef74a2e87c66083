// The broker in motion: the core's decisions, carried out. It owns the clock's timer and the links, and is what the
// HTTP routes and the gateway link call.
//
// What must stay true: effects are carried out in the order of the decisions, before anything else is decided;
// an event reaches the log once and every stream from there.

import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { Template } from '../config/templates.js';
import { isDenied } from '../wire/deny.js';
import type { BrokerEvent } from '../wire/events.js';
import type { RequestId, SessionId } from '../wire/ids.js';
import type { WireCatalogue } from '../wire/link.js';
import { encodeCatalogueTool } from '../wire/tool.js';
import { mayMessage } from './access/client-rules.js';
import { deniedByConfig } from './access/denied-tools.js';
import type { Principal } from './access/principal.js';
import type { SupervisedAgents } from './agents/supervised-agents.js';
import type { Clock } from './clock.js';
import type { ConsoleAccess } from './console/console-access.js';
import { BrokerCore, type CoreSettings } from './core/broker-core.js';
import type { Effect } from './core/effects.js';
import type { Messages } from './delivery/messages.js';
import { EventLog } from './events/event-log.js';
import { EventStreams } from './events/event-streams.js';
import { harnessLabel } from './metrics/harness-label.js';
import { Metrics } from './metrics/metrics.js';
import type { RememberedTools } from './state/remembered-tools.js';
import type { SeenApps } from './state/seen-apps.js';
import type { SeenHarnesses } from './state/seen-harnesses.js';
import { told, toldOfRefused } from './told.js';

/** What a gateway link can be told. */
export interface SessionLink {
  deliver(effect: SessionEffect): void;
  catalogueChanged(catalogue: string): void;
  deniedChanged(denied: readonly string[]): void;
  replaced(): void;
}
export type SessionEffect = Extract<Effect, { session: SessionId }>;

export interface BrokerOptions {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly remembered: RememberedTools;
  readonly seen: SeenHarnesses;
  readonly seenApps: SeenApps;
  /** Has leo.yaml and the tokens read again; gives warnings, or throws `invalid_config`. */
  readonly reload: () => readonly string[];
  /** Takes a line of the log. */
  readonly log: (line: string) => void;
  /** Takes a line for those who look for a fault; undefined where nobody does. */
  readonly debug?: (line: string) => void;
  /** Whether the token that a caller showed still counts. */
  readonly holdsToken: (principal: Principal) => boolean;
  /** Makes what knows who is signed in to the console of this broker. */
  readonly console: (broker: Broker) => ConsoleAccess;
  /** Makes what delivers messages, for this broker. */
  readonly messenger: (broker: Broker) => Messages;
  /** Makes the agents that Leo starts, for this broker. */
  readonly supervise: (broker: Broker) => SupervisedAgents;
}

/** Events that tell of what an app has done itself; nobody waits for them. */
const unhurried: ReadonlySet<string> = new Set(['client_tool.claimed', 'client_tool.settled']);

export class Broker {
  readonly core: BrokerCore;
  readonly version: string;
  readonly startedAt: number;
  /** What harnesses were seen to do. */
  readonly seen: SeenHarnesses;
  /** Who reads the events. */
  readonly streams: EventStreams;
  /** Messages to agents. */
  readonly messages: Messages;
  /** Who is signed in to the console. */
  readonly console: ConsoleAccess;
  /** The agents that Leo starts. */
  readonly agents: SupervisedAgents;
  /** What the daemon counts of itself. */
  readonly metrics = new Metrics();
  readonly #log = new EventLog(randomBytes(6).toString('hex'));
  readonly #clock: Clock;
  readonly #remembered: RememberedTools;
  readonly #seenApps: SeenApps;
  readonly #links = new Map<SessionId, SessionLink>();
  readonly #reload: () => readonly string[];
  #config: Config;
  readonly #tell: (line: string) => void;
  readonly #debug: ((line: string) => void) | undefined;
  readonly #holdsToken: (principal: Principal) => boolean;
  #stopped = false;
  #timer: { readonly at: number; readonly handle: NodeJS.Timeout } | undefined;
  /** The catalogue as it was last written, for the revision that it is of. */
  #catalogue: { readonly revision: number; readonly json: string } | undefined;

  constructor(options: BrokerOptions) {
    const { config, version, clock, remembered, seen, reload, supervise, messenger } = options;
    this.#seenApps = options.seenApps;
    this.#config = config;
    this.version = version;
    this.#clock = clock;
    this.#remembered = remembered;
    this.seen = seen;
    this.#reload = reload;
    this.#tell = options.log;
    this.#debug = options.debug;
    this.#holdsToken = options.holdsToken;
    this.startedAt = clock();
    this.agents = supervise(this);
    this.core = new BrokerCore(this.#settings());
    this.streams = new EventStreams({
      core: this.core,
      log: this.#log,
      version,
      decide: (decision) => this.decide(decision),
    });
    this.messages = messenger(this);
    this.console = options.console(this);
  }

  get epoch(): string {
    return this.#log.epoch;
  }

  /** Runs a decision and carries out what follows from it. */
  decide<T>(decision: (core: BrokerCore, now: number) => T): T {
    try {
      return decision(this.core, this.#clock());
    } finally {
      this.#carryOut();
    }
  }

  /** Tells the event stream of something that no decision of the core brought about. */
  publish(event: BrokerEvent): void {
    this.#perform({ type: 'publish', event });
  }

  /** The whole seconds since the daemon started. */
  get uptimeS(): number {
    return Math.floor((this.#clock() - this.startedAt) / 1000);
  }

  /** `web.allowed_hosts` as it is now. */
  get allowedHosts(): readonly string[] {
    return this.#config.web.allowedHosts;
  }

  /** `templates` as they are now. */
  get templates(): Readonly<Record<string, Template>> {
    return this.#config.templates;
  }

  /** Takes over a leo.yaml that was read again. */
  configure(config: Config): void {
    this.#config = config;
    this.core.configure(this.#settings());
    for (const [session, link] of this.#links) link.deniedChanged(this.#deniedOf(session));
  }

  /**
   * Reads leo.yaml and the tokens again.
   *
   * @returns warnings, for people.
   * @throws {LeoError} `invalid_config`; the old settings then stay.
   */
  reload(): readonly string[] {
    return this.#reload();
  }

  /** Whether a caller that was let in to message an agent still would be, by the settings as they are now. */
  mayStillMessage(principal: Principal, agent: string): boolean {
    const holds = principal.role === 'console' ? this.console.holds(principal) : this.#holdsToken(principal);
    if (!holds) return false;
    const { apiClients } = this.#config;
    if (principal.role !== 'client') return true;
    const rules = Object.hasOwn(apiClients, principal.name) ? apiClients[principal.name] : undefined;
    return mayMessage(rules?.canMessage ?? [], agent);
  }

  /** A call was answered without ever being parked. */
  neverParked(session: SessionId, id: RequestId, code: string): void {
    this.metrics.neverParked(code);
    this.#tell(toldOfRefused(id, this.core.agentOf(session), code));
  }

  /** What is counted, and what stands now, as text (docs/operators.md, "Metrics"). */
  metricsText(): string {
    const calls = this.core.openRequests();
    const claimed = calls.filter(({ claimedBy }) => claimedBy !== undefined).length;
    return this.metrics.text({
      version: this.version,
      startedAt: this.startedAt,
      residentBytes: process.memoryUsage.rss(),
      openCalls: { parked: calls.length - claimed, claimed },
      streams: this.streams.count,
      sessions: this.core
        .sessions()
        .map(({ harness, mode }) => ({ harness: harnessLabel(harness?.name), mode })),
      tools: this.core.catalogue().length,
    });
  }

  // Links

  /** Makes a link the one of its session; an older one is told to end. */
  addLink(session: SessionId, link: SessionLink): void {
    const before = this.#links.get(session);
    this.#links.set(session, link);
    if (before !== undefined && before !== link) before.replaced();
  }

  /** Forgets a link, unless a newer one has taken its place. */
  removeLink(session: SessionId, link: SessionLink): void {
    if (this.#links.get(session) === link) this.#links.delete(session);
  }

  hasLink(session: SessionId): boolean {
    return this.#links.has(session);
  }

  /** The names and globs that an agent is denied. */
  deniedFor(agent: string): readonly string[] {
    return [...deniedByConfig(this.#config, agent), ...this.agents.deniedFor(agent)];
  }

  /** The catalogue as gateways get it, written once for all of them. */
  catalogueJson(): string {
    const revision = this.core.revision;
    if (this.#catalogue?.revision !== revision) {
      const catalogue: WireCatalogue = {
        revision,
        ever_registered: this.#remembered.any,
        tools: this.core.catalogue().map(encodeCatalogueTool),
      };
      this.#catalogue = { revision, json: JSON.stringify(catalogue) };
    }
    return this.#catalogue.json;
  }

  /**
   * Ends the streams and the timers. Nobody is gone because the daemon is: no call ends by this, so that the
   * gateways bring them to the next daemon.
   */
  stop(): void {
    this.#stopped = true;
    this.agents.close();
    this.console.close();
    this.#seenApps.close();
    clearTimeout(this.#timer?.handle);
    this.streams.close();
  }

  #deniedOf(session: SessionId): readonly string[] {
    const agent = this.core.agentOf(session);
    return agent === undefined ? [] : this.deniedFor(agent);
  }

  #settings(): CoreSettings {
    return {
      reconnectGraceMs: this.#config.clientTools.reconnectGraceS * 1000,
      denied: (agent, tool) => isDenied(this.deniedFor(agent), tool),
    };
  }

  #carryOut(): void {
    for (let effects = this.core.takeEffects(); effects.length > 0; effects = this.core.takeEffects()) {
      for (const effect of effects) this.#perform(effect);
    }
    this.#setTimer();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'publish': {
        this.metrics.published(effect.event, this.#clock());
        const frame = this.#log.append(effect.event);
        const line = told(effect.event);
        if (line !== undefined) this.#tell(line);
        // As those see it who may only watch: without arguments and results.
        this.#debug?.(frame.redacted.trim().replaceAll('\n', ' '));
        this.streams.send(frame, unhurried.has(effect.event.type));
        return;
      }
      case 'catalogue': {
        const tools = this.core.catalogue();
        this.#remembered.add(tools.map((tool) => tool.name));
        this.#seenApps.see(tools.map((tool) => tool.group));
        const json = this.catalogueJson();
        for (const link of this.#links.values()) link.catalogueChanged(json);
        return;
      }
      case 'closeStream':
        return this.streams.cut(effect.stream);
      default:
        if (effect.type === 'outcome' && effect.neverParked && !effect.outcome.ok)
          this.neverParked(effect.session, effect.id, effect.outcome.code);
        this.#links.get(effect.session)?.deliver(effect);
    }
  }

  #setTimer(): void {
    const at = this.core.nextDeadline;
    if (this.#stopped || at === this.#timer?.at) return;
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
    if (at === undefined) return;
    // A timer of Node's takes at most 2^31 ms; a day is the longest that a call may wait.
    const handle = setTimeout(
      () => {
        this.#timer = undefined;
        this.decide((core, now) => core.tick(now));
      },
      Math.max(0, Math.ceil(at - this.#clock())),
    );
    this.#timer = { at, handle };
  }
}
