// One agent's session: who the harness is, what it is shown, and when it is told of a change. Holds the link
// and the calls on it.

import { readFileSync } from 'node:fs';
import { version } from '../config/version.js';
import type { Harness, WireAgent } from '../wire/bodies/agents.js';
import { isDenied } from '../wire/deny.js';
import type { SessionId } from '../wire/ids.js';
import { isObject } from '../wire/json.js';
import { messageWithinMs } from '../wire/link.js';
import { saidOf, spoken } from '../wire/link-protocol.js';
import { foldToolName } from '../wire/names.js';
import type { CatalogueTool } from '../wire/tool.js';
import { Caller } from './calls/caller.js';
import type { Clock } from './clock.js';
import { clientName, type HarnessTable, harnessOf, type Treatment, treatmentOf } from './harness/caps.js';
import { RelistWatcher } from './harness/relist-watcher.js';
import type { GatewaySettings } from './harness/settings.js';
import { Link, type LinkOptions } from './link/link.js';
import type { BrokerMessage, Catalogue, Greeting } from './link/messages.js';
import type { Log } from './log.js';
import * as changes from './tools/list-changes.js';
import { type Listing, listTools } from './tools/listing.js';

export interface SessionOptions {
  readonly id: SessionId;
  readonly agent: string;
  /** The harness that the user says this is, whatever `clientInfo` says. */
  readonly harness: string | undefined;
  readonly table: HarnessTable;
  readonly settings: GatewaySettings;
  readonly callTimeoutMs: number | undefined;
  readonly rememberedTools: string;
  /** Whether a harness was seen to re-list, as far as that is known without the daemon. */
  readonly seenToRelist: (harness: Harness) => boolean | undefined;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly log: Log;
  readonly link: Pick<LinkOptions, 'findTarget' | 'random' | 'mayStartDaemon' | 'startDaemon'>;
}

/** How long after a restart of the daemon a call waits for its app, which is on its way back too. */
const appReturnsMs = 3000;
/** How much of the 300 ms that a list may take is spent waiting for a link that is on its way (design 8). */
const firstListMs = 180;

export class Session {
  readonly link: Link;
  readonly caller: Caller;
  #harness: Harness | null = null;
  /** What it calls itself, letter for letter. */
  #clientName: string | undefined;
  #listens = false;
  /** Whether an earlier session of the harness was seen not to re-list. */
  #missed = false;
  readonly #watcher: RelistWatcher;
  #treatment: Treatment;
  #catalogue: Catalogue | undefined;
  #denied: readonly string[] = [];
  #epoch: string | undefined;
  /** Who the broker was last told that the harness is. */
  #introduced: { readonly harness: Harness | null; readonly mode: Treatment['mode'] } | undefined;
  /** The tools of before the daemon's last restart, and when that was. */
  #before: { readonly tools: readonly CatalogueTool[]; readonly restartedAt: number } | undefined;
  readonly #catalogueWaiters = new Set<() => void>();
  /** Whether the fallback pair is listed; undefined until the session first lists tools. */
  #pair: boolean | undefined;
  #changes = changes.noListYet;
  /** How often the harness was told of a change that the daemon does not know of yet. */
  #listChanged = 0;
  #callOffChange = () => {};
  #notify: () => void = () => {};

  constructor(private readonly options: SessionOptions) {
    const { clock, log, randomId } = options;
    this.#treatment = this.#treat();
    this.link = new Link({
      ...options.link,
      clock,
      log,
      hello: () => {
        this.#introduced = this.#introduction();
        return {
          ...saidOf(spoken),
          version,
          session: options.id,
          agent: options.agent,
          ...this.#introduced,
        };
      },
      onReady: (greeting) => this.#ready(greeting),
      onMessage: (message) => this.#take(message),
    });
    this.caller = new Caller({
      link: this.link,
      clock,
      randomId,
      callLimit: () => this.#treatment.callLimit,
    });
    this.#watcher = new RelistWatcher({
      clock,
      waits: () => this.caller.waitedFor,
      tell: (relists) =>
        this.#harness === null ||
        this.link.send({ jsonrpc: '2.0', method: 'harness/seen', params: { relists } }),
    });
  }

  get mode(): Treatment['mode'] {
    return this.#treatment.mode;
  }

  /** The time, as it is measured here. */
  now(): number {
    return this.options.clock.now();
  }

  /** The harness is served by this instance now, and is told of changes so. */
  serve(notify: () => void): void {
    this.#notify = notify;
  }

  /** The harness has sent a request: there is an agent, and perhaps its name. */
  requested(method: string, clientInfo: unknown): void {
    const harness = harnessOf(clientInfo);
    if (harness !== null && harness.name !== this.#harness?.name) {
      this.#harness = harness;
      this.#clientName = clientName(clientInfo);
      this.#missed = this.options.seenToRelist(harness) === false;
      this.#retreat();
    }
    this.#watcher.requested(method);
    this.link.greet();
  }

  /** The session ends: its calls are cancelled, and what the harness does now shows nothing. */
  end(): void {
    this.#watcher.stop();
    this.caller.cancelAll();
  }

  /** The harness has asked to be told of tool changes: it re-lists (design 8). */
  listens(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.#retreat();
  }

  /** The list that the harness is shown; waits a little for a first link that is on its way. */
  async list(): Promise<Listing> {
    if (this.#catalogue === undefined && this.link.coming) await this.link.whenReady(firstListMs);
    this.#pair ??= this.#catalogue?.everRegistered ?? this.#everRemembered();
    const listing = this.#listing();
    this.#changes = changes.listed(this.#changes, listing.bytes);
    this.#callOffChange();
    return listing;
  }

  /**
   * A tool of an app by the name that the agent called it by. One that was there before the daemon's restart
   * is waited for a little: its app is coming back.
   */
  async find(name: string, signal: AbortSignal): Promise<CatalogueTool | undefined> {
    const { clock } = this.options;
    for (;;) {
      const tool = named(this.#catalogue?.tools, name);
      const since = named(this.#before?.tools, name) === undefined ? undefined : this.#before?.restartedAt;
      const left = since === undefined ? 0 : since + appReturnsMs - clock.now();
      if (tool !== undefined || left <= 0 || signal.aborted) return tool;
      await new Promise<void>((resolve) => {
        const done = () => {
          callOff();
          signal.removeEventListener('abort', done);
          this.#catalogueWaiters.delete(done);
          resolve();
        };
        const callOff = clock.after(left, done);
        signal.addEventListener('abort', done);
        this.#catalogueWaiters.add(done);
      });
    }
  }

  /** The tools that this agent may call. */
  allowed(): CatalogueTool[] {
    return (this.#catalogue?.tools ?? []).filter((tool) => !this.denies(tool.name));
  }

  denies(name: string): boolean {
    return isDenied(this.#denied, name);
  }

  async agents(): Promise<readonly WireAgent[]> {
    const result = await this.link.ask('agents/list', {});
    return isObject(result) && Array.isArray(result.agents) ? result.agents : [];
  }

  /**
   * Sends a message to another agent, in this agent's name.
   *
   * @throws {Refusal} with the broker's code, or an error where the daemon does not answer.
   */
  async sendMessage(to: string, text: string): Promise<unknown> {
    return await this.link.ask('message/send', { to, text }, messageWithinMs);
  }

  /** Tells the broker who the harness is, where that is not what it knows. */
  #introduce(): void {
    const params = this.#introduction();
    const { harness, mode } = this.#introduced ?? {};
    if (params.harness?.name === harness?.name && params.mode === mode) return;
    if (this.link.send({ jsonrpc: '2.0', method: 'session/changed', params })) this.#introduced = params;
  }

  #introduction(): { harness: Harness | null; mode: Treatment['mode'] } {
    return { harness: this.#harness, mode: this.#treatment.mode };
  }

  #treat(): Treatment {
    const { table, settings, harness, callTimeoutMs } = this.options;
    return treatmentOf({
      table,
      overrides: settings.harnesses,
      name: this.#clientName,
      said: harness,
      listens: this.#listens,
      missed: this.#missed,
      callTimeoutMs,
    });
  }

  /** What is known of the harness has changed. */
  #retreat(): void {
    this.#treatment = this.#treat();
    this.#introduce();
    this.#changed();
  }

  #ready(greeting: Greeting): void {
    const restarted = this.#epoch !== undefined && this.#epoch !== greeting.epoch;
    this.#epoch = greeting.epoch;
    if (restarted) {
      this.#before = { tools: this.#catalogue?.tools ?? [], restartedAt: this.options.clock.now() };
    }
    this.#catalogue = greeting.catalogue;
    this.#denied = greeting.denied;
    // A harness that has listed was shown its tools in one form, and keeps to it.
    if (this.#changes.seen === undefined && greeting.relists !== undefined) {
      this.#missed = !greeting.relists;
      this.#treatment = this.#treat();
    }
    this.#introduce();
    this.#watcher.tell();
    this.caller.resume();
    this.#changed(restarted ? changes.restartSettleMs : changes.settleMs);
  }

  #take(message: BrokerMessage): void {
    if (message.kind === 'catalogue') {
      this.#catalogue = message.catalogue;
      for (const look of this.#catalogueWaiters) look();
      this.#changed();
    } else if (message.kind === 'denied') {
      this.#denied = message.denied;
      this.#changed();
    } else this.caller.take(message);
  }

  #listing(): Listing {
    return listTools({
      tools: this.#catalogue?.tools ?? [],
      denied: this.#denied,
      treatment: this.#treatment,
      pair: this.#pair ?? false,
    });
  }

  #changed(settleMs: number = changes.settleMs): void {
    if (this.#changes.seen === undefined) return;
    this.#changes = changes.changed(this.#changes, this.#listing().bytes, this.options.clock.now(), settleMs);
    this.#judge();
  }

  #judge(): void {
    this.#callOffChange();
    const verdict = changes.judge(this.#changes, this.options.clock.now());
    if (verdict.kind === 'wait') {
      this.#callOffChange = this.options.clock.after(verdict.ms, () => this.#judge());
    } else if (verdict.kind === 'notify') {
      this.#changes = verdict.state;
      this.#notify();
      this.#countListChanged();
      if (this.mode === 'native') this.#watcher.told({ inItsOwnTime: this.#listens });
    }
  }

  /** Tells the daemon, which counts; what it could not be told goes with the next. */
  #countListChanged(): void {
    this.#listChanged++;
    const params = { times: this.#listChanged };
    if (this.link.send({ jsonrpc: '2.0', method: 'list_changed/sent', params })) this.#listChanged = 0;
  }

  /** Whether the daemon, which cannot be asked now, remembers a tool (design 4, client-tools.json). */
  #everRemembered(): boolean {
    try {
      const remembered: unknown = JSON.parse(readFileSync(this.options.rememberedTools, 'utf8'));
      return isObject(remembered) && Array.isArray(remembered.tools) && remembered.tools.length > 0;
    } catch {
      return false; // No file, or none that can be read: no app is known to have registered.
    }
  }
}

/** A tool by its name, as Leo compares names (design 6): codex writes `_` for `-`. */
function named(tools: readonly CatalogueTool[] | undefined, name: string): CatalogueTool | undefined {
  const folded = foldToolName(name);
  return tools?.find((tool) => foldToolName(tool.name) === folded);
}
