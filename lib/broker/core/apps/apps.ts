// The apps: who is connected, what they offer, what becomes of their calls when they come and go (design 5, 6).

import { LeoError } from '../../../wire/errors.js';
import type { ClientId } from '../../../wire/ids.js';
import type { CatalogueTool } from '../../../wire/tool.js';
import { checkedTools } from '../../check/tools.js';
import type { CallDesk } from '../calls/call-desk.js';
import type { CoreSettings } from '../core-settings.js';
import type { Deadlines } from '../deadlines.js';
import type { Due } from '../due.js';
import type { StreamId } from '../effects.js';
import { Clients } from './clients.js';
import { Ownership } from './ownership.js';
import { type Registered, Registry, type RegistryChange } from './registry.js';

export class Apps {
  readonly owners = new Ownership();
  readonly #registry = new Registry();
  readonly #clients = new Clients();
  readonly #desk: CallDesk;
  readonly #deadlines: Deadlines<Due>;
  readonly #settings: () => CoreSettings;

  constructor(desk: CallDesk, deadlines: Deadlines<Due>, settings: () => CoreSettings) {
    this.#desk = desk;
    this.#deadlines = deadlines;
    this.#settings = settings;
  }

  get revision(): number {
    return this.#registry.revision;
  }

  /** The tools of all apps, sorted by name, as gateways are told of them. */
  catalogue(): readonly CatalogueTool[] {
    return this.#registry
      .all()
      .map(({ tool, client, group }) => ({ ...tool, group, provider: client, keyed: this.isKeyed(client) }));
  }

  /** The registered tool of exactly this name. */
  find(tool: string): Registered | undefined {
    return this.#registry.find(tool);
  }

  isConnected(client: ClientId): boolean {
    return this.#clients.isConnected(client);
  }

  /** Whether an app is known: connected, or away and expected back. */
  isKnown(client: ClientId): boolean {
    return this.#clients.get(client) !== undefined;
  }

  /** Whether an app comes back under its own key. */
  isKeyed(client: ClientId): boolean {
    return this.#clients.get(client)?.keyed ?? false;
  }

  /** A provider stream has opened. The newer stream of the same app replaces the older at once. */
  connect(client: ClientId, keyed: boolean, stream: StreamId): void {
    const replaced = this.#clients.connect(client, keyed, stream);
    if (replaced !== undefined) this.#desk.effect({ type: 'closeStream', stream: replaced });
  }

  /** A provider stream has closed: a keyed app may come back, any other is gone. */
  disconnect(stream: StreamId, now: number): void {
    const client = this.#clients.ofStream(stream);
    if (client === undefined) return;
    if (client.keyed && this.#settings().reconnectGraceMs > 0) this.expectBack(client.id, now);
    else this.#removeClient(client.id);
  }

  /** An app may never come back, keyed or not: its handoffs do not wait for it either. */
  dismiss(client: ClientId): void {
    this.#removeClient(client, { mayComeBack: false });
  }

  /**
   * @param list the tools as the wire brought them.
   * @throws {LeoError} `unknown_client`, `invalid_tool`, `too_many_tools`, `name_conflict`, looked for in this order.
   */
  register(client: ClientId, group: string, list: readonly unknown[]): readonly string[] {
    this.mustBeConnected(client);
    const tools = checkedTools(list);
    this.#registryChanged(this.#registry.register(client, group, tools));
    return tools.map((tool) => tool.name);
  }

  /** @throws {LeoError} `unknown_client`, `not_found`. */
  withdraw(client: ClientId, group: string): void {
    this.mustBeConnected(client);
    if (this.#registry.group(client, group).length === 0) {
      throw new LeoError('not_found', `the app ${client} has no group "${group}"`);
    }
    this.#registryChanged(this.#registry.register(client, group, []));
  }

  /** Keeps a place for a keyed app that is away, or that a call from before a restart names. */
  expectBack(client: ClientId, now: number): void {
    const until = now + this.#settings().reconnectGraceMs;
    this.#clients.away(client, until);
    this.#deadlines.add(until, { type: 'client', id: client });
  }

  /** An app is gone for good. */
  #removeClient(client: ClientId, { mayComeBack = true } = {}): void {
    this.#clients.remove(client);
    this.owners.dropClient(client);
    for (const call of this.#desk.calls.open()) {
      const claimedHere = call.life.state === 'claimed' && call.life.by === client;
      if (call.provider === client) {
        const waits = mayComeBack && call.keyed && call.deadline === undefined;
        if (!waits) this.#desk.end(call, 'no_client', `the app that offered "${call.tool}" has gone`);
        else if (claimedHere) this.#desk.apply(call, { type: 'claimantGone' });
      } else if (claimedHere) this.#desk.apply(call, { type: 'claimantGone' });
    }
    this.#registryChanged(this.#registry.dropClient(client), { callsHaveEnded: true });
  }

  #registryChanged(change: RegistryChange, { callsHaveEnded = false } = {}): void {
    if (!change.changed) return;
    if (!callsHaveEnded) this.#endCallsOf(change);
    this.#adoptOrphans(change);
    this.#desk.effect({ type: 'catalogue' });
    const tools = this.#registry.all().map(({ tool }) => tool.name);
    this.#desk.publish({ type: 'client_tools.changed', revision: this.#registry.revision, tools });
  }

  #endCallsOf(change: RegistryChange): void {
    if (change.removed.length === 0) return;
    const gone = new Map(change.removed.map((entry) => [entry.tool.name, entry.client]));
    for (const call of this.#desk.calls.open()) {
      if (gone.get(call.tool) === call.provider)
        this.#desk.end(call, 'no_client', `the app has withdrawn the tool "${call.tool}"`);
    }
  }

  /** A call that outlived its app's old id goes on with the app that now offers its tool. */
  #adoptOrphans(change: RegistryChange): void {
    if (change.added.length === 0) return;
    const added = new Map(change.added.map((entry) => [entry.tool.name, entry]));
    for (const call of this.#desk.calls.open()) {
      const entry = added.get(call.tool);
      if (entry === undefined || entry.client === call.provider || this.isKnown(call.provider)) continue;
      const keyed = this.isKeyed(entry.client);
      this.#desk.calls.put({
        ...call,
        provider: entry.client,
        group: entry.group,
        keyed,
        orphanUntil: undefined,
      });
      if (call.life.state === 'parked') this.#desk.publishRequest(call.id);
    }
  }

  /** @throws {LeoError} `unknown_client`. */
  mustBeConnected(client: ClientId): void {
    if (this.#clients.isConnected(client)) return;
    throw new LeoError(
      'unknown_client',
      `no connected app has the client_id ${JSON.stringify(client)}; open a provider stream first`,
    );
  }

  /** The time of an app that was away is over, unless it came back. */
  due(id: ClientId, now: number): void {
    const presence = this.#clients.get(id)?.presence;
    if (presence?.state === 'away' && presence.until <= now) this.#removeClient(id);
  }
}
