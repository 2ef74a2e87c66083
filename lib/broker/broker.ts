// The broker in motion: the core's decisions, carried out. It owns the clock's timer, the streams and the
// links, and is what the HTTP routes and the gateway link call.
//
// What must stay true: effects are carried out in the order of the decisions, before anything else is decided;
// an event reaches the log once and every stream from there.

import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { Template } from '../config/templates.js';
import { encodeOpenRequest } from '../wire/bodies/calls.js';
import { isDenied } from '../wire/deny.js';
import { type BrokerEvent, heartbeatS, streamFeatures } from '../wire/events.js';
import { type ClientId, clientId, type RequestId, type SessionId } from '../wire/ids.js';
import type { JsonObject } from '../wire/json.js';
import type { WireCatalogue } from '../wire/link.js';
import { encodeCatalogueTool } from '../wire/tool.js';
import { mayMessage } from './access/client-rules.js';
import { deniedByConfig } from './access/denied-tools.js';
import type { Principal } from './access/principal.js';
import type { SupervisedAgents } from './agents/supervised-agents.js';
import type { Clock } from './clock.js';
import type { ConsoleAccess } from './console/console-access.js';
import { BrokerCore, type CoreSettings } from './core/broker-core.js';
import type { Effect, StreamId } from './core/effects.js';
import type { Messages } from './delivery/messages.js';
import { EventLog } from './events/event-log.js';
import type { StreamReader } from './events/reader.js';
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

interface Stream {
  readonly reader: StreamReader;
  readonly provider: boolean;
  readonly principal: Principal;
}
/** Who reads the events: an app with its id, or anybody else. */
export interface StreamOwner {
  readonly principal: Principal;
  readonly app?: { readonly clientId: ClientId; readonly keyed: boolean };
}

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
  readonly #streams = new Map<StreamId, Stream>();
  readonly #links = new Map<SessionId, SessionLink>();
  /** Whose token each app came with, for as long as the app is known or a handoff waits for it. */
  readonly #appOwners = new Map<ClientId, Principal>();
  readonly #reload: () => readonly string[];
  #config: Config;
  readonly #tell: (line: string) => void;
  readonly #debug: ((line: string) => void) | undefined;
  readonly #holdsToken: (principal: Principal) => boolean;
  #nextStream = 1;
  #stopped = false;
  #timer: { readonly at: number; readonly handle: NodeJS.Timeout } | undefined;
  #heartbeat: NodeJS.Timeout;
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
    this.messages = messenger(this);
    this.console = options.console(this);
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatS * 1000);
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

  /**
   * Ends the streams of callers whose token does not count any more. Their apps are gone at once and for good:
   * nobody can come back as one of them, so nothing waits for them.
   */
  endRevoked(holds: (principal: Principal) => boolean): void {
    for (const [id, { reader, principal }] of this.#streams) {
      if (holds(principal)) continue;
      this.#streams.delete(id);
      reader.cut();
    }
    for (const [app, principal] of this.#appOwners)
      if (!holds(principal)) this.decide((core) => core.dismiss(app));
    this.#forgetApps();
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

  // Streams

  /** Adds a reader to the event stream: it is sent what it missed, or a `hello`. */
  addStream(
    reader: StreamReader,
    lastEventId: string | undefined,
    { principal, app: as }: StreamOwner,
  ): StreamId {
    const id = this.#nextStream++;
    const known = as === undefined || this.core.isKnown(as.clientId);
    const missed = known ? this.#log.since(lastEventId) : undefined;
    if (as !== undefined) {
      this.#appOwners.set(as.clientId, principal);
      this.decide((core) => core.connect(as.clientId, as.keyed, id));
    }
    this.#streams.set(id, { reader, provider: as !== undefined, principal });
    if (missed === undefined) reader.send(this.#hello(as?.clientId));
    else reader.send(missed.map((frame) => (as === undefined ? frame.redacted : frame.full)).join(''));
    return id;
  }

  removeStream(id: StreamId): void {
    if (!this.#streams.delete(id) || this.#stopped) return;
    this.decide((core, now) => core.disconnect(id, now));
    this.#forgetApps();
  }

  #forgetApps(): void {
    for (const app of this.#appOwners.keys()) {
      if (!this.core.isKnown(app) && this.core.openRequestsOf(app).length === 0) this.#appOwners.delete(app);
    }
  }

  /** Ends the streams of callers whose time is up; as apps they may come back when they have signed in again. */
  endStreams(holds: (principal: Principal) => boolean): void {
    for (const { reader, principal } of this.#streams.values()) if (!holds(principal)) reader.cut();
  }

  /** Who reads the events, once for each stream. */
  readers(): readonly Principal[] {
    return [...this.#streams.values()].map(({ principal }) => principal);
  }

  /** A call was answered without ever being parked. */
  neverParked(session: SessionId, id: RequestId, code: string): void {
    this.metrics.neverParked(code);
    this.#tell(toldOfRefused(id, this.core.agentOf(session), code));
  }

  /** How many streams are open. */
  get streams(): number {
    return this.#streams.size;
  }

  /** What is counted, and what stands now, as text (docs/operators.md, "Metrics"). */
  metricsText(): string {
    const calls = this.core.openRequests();
    const claimed = calls.filter(({ claimedBy }) => claimedBy !== undefined).length;
    const providers = [...this.#streams.values()].filter(({ provider }) => provider).length;
    return this.metrics.text({
      version: this.version,
      startedAt: this.startedAt,
      residentBytes: process.memoryUsage.rss(),
      openCalls: { parked: calls.length - claimed, claimed },
      streams: { provider: providers, watcher: this.#streams.size - providers },
      sessions: this.core
        .sessions()
        .map(({ harness, mode }) => ({ harness: harnessLabel(harness?.name), mode })),
      tools: this.core.catalogue().length,
    });
  }

  /** The id of an app: fixed by its key and whose token it came with, or new. */
  clientIdFor(principal: Principal, key: string | undefined): ClientId {
    if (key === undefined) return clientId(`c_${randomBytes(12).toString('base64url')}`);
    const hash = createHash('sha256')
      .update(`${principal.role}\0${principal.name}\0${key}`)
      .digest('base64url');
    return clientId(`c_${hash.slice(0, 22)}`);
  }

  #hello(client: ClientId | undefined): string {
    const { seq, epoch } = this.#log;
    const data: JsonObject = {
      seq,
      ...(client === undefined ? {} : { client_id: client }),
      features: streamFeatures,
      epoch,
      version: this.version,
      heartbeat_s: heartbeatS,
      ...(client === undefined
        ? {}
        : {
            requests: this.core.openRequestsOf(client).map((request) => ({ ...encodeOpenRequest(request) })),
          }),
    };
    return `retry: 1000\n${this.#log.frame('hello', seq, data)}`;
  }

  #beat(): void {
    for (const { reader } of this.#streams.values()) if (reader.idle) reader.send(':\n\n');
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
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer?.handle);
    for (const { reader } of this.#streams.values()) reader.end();
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
        const later = unhurried.has(effect.event.type);
        for (const { reader, provider } of this.#streams.values())
          reader.send(provider ? frame.full : frame.redacted, { later });
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
      case 'closeStream': {
        const stream = this.#streams.get(effect.stream);
        this.#streams.delete(effect.stream);
        stream?.reader.cut();
        return;
      }
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
