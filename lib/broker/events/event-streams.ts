// Who reads the event stream (design 5): readers come with what they missed or a `hello`, are written to, and go.
//
// What must stay true: each reader gets each event once, in order, an app in full and anybody else redacted; whose token
// an app came with is known for as long as the app is, or a handoff waits for it.

import { createHash, randomBytes } from 'node:crypto';
import { encodeOpenRequest } from '../../wire/bodies/calls.js';
import { heartbeatS, streamFeatures } from '../../wire/events.js';
import { type ClientId, clientId } from '../../wire/ids.js';
import type { JsonObject } from '../../wire/json.js';
import type { Principal } from '../access/principal.js';
import type { BrokerCore } from '../core/broker-core.js';
import type { StreamId } from '../core/effects.js';
import type { EventLog, Frame } from './event-log.js';
import type { StreamReader } from './reader.js';

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

export interface EventStreamsOptions {
  readonly core: BrokerCore;
  readonly log: EventLog;
  readonly version: string;
  /** Runs a decision and carries out what follows from it. */
  readonly decide: (decision: (core: BrokerCore, now: number) => void) => void;
}

export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #streams = new Map<StreamId, Stream>();
  /** Whose token each app came with. */
  readonly #appOwners = new Map<ClientId, Principal>();
  readonly #heartbeat: NodeJS.Timeout;
  #next = 1;
  #closed = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatS * 1000);
  }

  /** How many are open, apps' and others'. */
  get count(): { readonly provider: number; readonly watcher: number } {
    const provider = [...this.#streams.values()].filter((stream) => stream.provider).length;
    return { provider, watcher: this.#streams.size - provider };
  }

  /** Who reads, once for each stream. */
  readers(): readonly Principal[] {
    return [...this.#streams.values()].map(({ principal }) => principal);
  }

  /** Adds a reader: it is sent what it missed, or a `hello`. */
  add(reader: StreamReader, lastEventId: string | undefined, { principal, app: as }: StreamOwner): StreamId {
    const { core, log, decide } = this.#options;
    const id = this.#next++;
    const known = as === undefined || core.isKnown(as.clientId);
    const missed = known ? log.since(lastEventId) : undefined;
    if (as !== undefined) {
      this.#appOwners.set(as.clientId, principal);
      decide(() => core.connect(as.clientId, as.keyed, id));
    }
    this.#streams.set(id, { reader, provider: as !== undefined, principal });
    if (missed === undefined) reader.send(this.#hello(as?.clientId));
    else reader.send(missed.map((frame) => (as === undefined ? frame.redacted : frame.full)).join(''));
    return id;
  }

  remove(id: StreamId): void {
    if (!this.#streams.delete(id) || this.#closed) return;
    this.#options.decide((core, now) => core.disconnect(id, now));
    this.#forgetApps();
  }

  /** Sends an event to all; `later` lets it wait for company. */
  send(frame: Frame, later: boolean): void {
    for (const { reader, provider } of this.#streams.values())
      reader.send(provider ? frame.full : frame.redacted, { later });
  }

  /** Ends a stream whose place another has taken. */
  cut(id: StreamId): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.reader.cut();
  }

  /** Ends the streams of callers whose time is up; as apps they may come back when they have signed in again. */
  end(holds: (principal: Principal) => boolean): void {
    for (const { reader, principal } of this.#streams.values()) if (!holds(principal)) reader.cut();
  }

  /**
   * Ends the streams of callers whose token does not count any more. Their apps are gone at once and for good:
   * nobody can come back as one of them, so nothing waits for them.
   */
  endRevoked(holds: (principal: Principal) => boolean): void {
    for (const [id, { principal }] of this.#streams) if (!holds(principal)) this.cut(id);
    for (const [app, principal] of this.#appOwners)
      if (!holds(principal)) this.#options.decide((core) => core.dismiss(app));
    this.#forgetApps();
  }

  /** Ends every stream, each once it has been sent what waits for it. Nobody is gone by this: the daemon is. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    for (const { reader } of this.#streams.values()) reader.end();
  }

  #forgetApps(): void {
    const { core } = this.#options;
    for (const app of this.#appOwners.keys())
      if (!core.isKnown(app) && core.openRequestsOf(app).length === 0) this.#appOwners.delete(app);
  }

  #hello(client: ClientId | undefined): string {
    const { core, log, version } = this.#options;
    const { seq, epoch } = log;
    const data: JsonObject = {
      seq,
      ...(client === undefined ? {} : { client_id: client }),
      features: streamFeatures,
      epoch,
      version,
      heartbeat_s: heartbeatS,
      ...(client === undefined
        ? {}
        : { requests: core.openRequestsOf(client).map((request) => ({ ...encodeOpenRequest(request) })) }),
    };
    return `retry: 1000\n${log.frame('hello', seq, data)}`;
  }

  #beat(): void {
    for (const { reader } of this.#streams.values()) if (reader.idle) reader.send(':\n\n');
  }
}

/** The id of an app: fixed by its key and whose token it came with, or new. */
export function clientIdFor(principal: Principal, key: string | undefined): ClientId {
  if (key === undefined) return clientId(`c_${randomBytes(12).toString('base64url')}`);
  const hash = createHash('sha256')
    .update(`${principal.role}\0${principal.name}\0${key}`)
    .digest('base64url');
  return clientId(`c_${hash.slice(0, 22)}`);
}
