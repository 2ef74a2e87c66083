/// <reference lib="esnext.disposable" preserve="true" />
// An app's connection: its offers, its calls and its link, tied together. Everything is decided elsewhere
// (calls/call-life.ts, offers.ts, link/); here it is done.

import { routes } from '../wire/routes.js';
import type { WireTool } from '../wire/tool.js';
import { CallWorker } from './calls/call-worker.js';
import { LeoAppError } from './errors.js';
import type { AppEvent } from './events.js';
import { DaemonLink, type LinkOptions } from './link/daemon-link.js';
import { errorOf, type Sending, type Sent, sendPersistently } from './link/persistent-send.js';
import { decodePending } from './link/stream-events.js';
import { dataOf } from './link/verdict.js';
import { Offers } from './offers.js';
import { encodeOffer, type ToolOffer } from './tool.js';

/** How long `close` waits for answers and withdrawals that are under way, in milliseconds. */
const closeWithinMs = 2000;
const closedByApp = 'the app has closed its connection';

export interface ConnectionOptions extends LinkOptions {
  /** Whether calls of an earlier run of this app may be waiting. */
  readonly returning: boolean;
  readonly onEvent: ((event: AppEvent) => void) | undefined;
}

/** An app that is connected, or connecting again. Made by `connect`. */
export class AppConnection {
  readonly #options: ConnectionOptions;
  readonly #link: DaemonLink;
  readonly #offers = new Offers();
  readonly #calls: CallWorker;
  /** Resolves when nothing more comes: with the daemon's refusal if that ended it, with nothing after `close()`. */
  readonly closed: Promise<LeoAppError | undefined>;
  #inTurn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    let closed: (reason: LeoAppError | undefined) => void = () => undefined;
    this.closed = new Promise((resolve) => {
      closed = resolve;
    });
    this.#link = new DaemonLink(options, {
      hello: (hello, live) => {
        this.#tell({
          type: 'connected',
          clientId: hello.clientId,
          daemon: { version: hello.version, epoch: hello.epoch },
        });
        this.#offerAllAgain();
        this.#calls.compareWith(hello.requests, live);
      },
      event: (event, live) => {
        if (event.type === 'cancelled') this.#calls.cancelled(event.id, event.reason);
        else if (this.#closing === undefined) this.#calls.listed(event.request, live);
      },
      lost: (reason, retryInMs) => this.#tell({ type: 'reconnecting', reason, retryInMs }),
      closed: (reason) => {
        void this.#calls.stop(closedByApp);
        this.#tell({ type: 'closed', reason });
        closed(reason);
      },
    });
    this.#calls = new CallWorker({
      link: this.#link,
      find: (group, tool) => this.#offers.find(group, tool),
      tell: (event) => this.#tell(event),
      now: options.now,
      random: options.random,
    });
  }

  /** Where the connection stands. */
  get state(): 'connected' | 'reconnecting' | 'closed' {
    if (this.#link.ended !== undefined) return 'closed';
    return this.#link.live === undefined ? 'reconnecting' : 'connected';
  }

  /** What the daemon calls this app; undefined while there is no stream. */
  get clientId(): string | undefined {
    return this.#link.live?.clientId;
  }

  /** Starts to connect. For `connect` alone. */
  async open(): Promise<void> {
    this.#link.open();
    await this.#link.whenLive();
  }

  /**
   * Offers a group of tools to every agent, in place of what the group held before; an empty list withdraws it.
   * They stay offered over reconnects and restarts of the daemon.
   *
   * @param group 1 to 64 letters, digits, `.`, `_` and `-`.
   * @throws {LeoAppError} `invalid_tool` naming the bad place, `too_many_tools`, `name_conflict` naming the holder:
   * what the group held before stays. `closed` after `close`.
   */
  offer(group: string, tools: readonly ToolOffer[]): Promise<void> {
    const offered = tools.map(encodeOffer);
    return this.#next(async () => {
      const first = !this.#offers.has(group);
      const change = this.#offers.begin(group, tools);
      try {
        await this.#register(group, offered);
        change.settle();
      } catch (error) {
        change.undo();
        throw error;
      }
      if (tools.length === 0) this.#offers.remove(group);
      else if (first && this.#options.returning) await this.#pickUp(group);
    });
  }

  /**
   * Takes a group back. Its open calls end.
   *
   * @throws {LeoAppError} `closed` after `close`. A group that is not offered is no error.
   */
  withdraw(group: string): Promise<void> {
    return this.#next(async () => {
      this.#offers.remove(group);
      const sent = await this.#send({ method: 'DELETE', path: (clientId) => withdrawPath(group, clientId) });
      if (sent.is === 'refused' && sent.error.code !== 'not_found') throw sent.error;
    });
  }

  /**
   * Stops: handlers are aborted, tools withdrawn, the stream closed. Answers that are on their way are sent first.
   * Never rejects, ends within about two seconds, and may be called twice.
   *
   * @param options `comingBack` leaves tools and open calls with the daemon, for an app that connects again with
   * the same `clientKey` within the daemon's `reconnect_grace_s` (30 seconds).
   */
  close(options: { readonly comingBack?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#close(options.comingBack ?? false);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(comingBack: boolean): Promise<void> {
    const leave = async () => {
      // Answers first: a withdrawn tool's calls have ended.
      await this.#calls.stop(closedByApp);
      const live = this.#link.live;
      if (live === undefined || comingBack) return;
      const paths = this.#offers.all().map(([group]) => withdrawPath(group, live.clientId));
      await Promise.all(paths.map((path) => live.requests.send('DELETE', path)));
    };
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, closeWithinMs);
    });
    await Promise.race([leave(), enough]);
    clearTimeout(timer);
    this.#link.close();
  }

  /** Does one thing after another: registrations reach the daemon in the order in which they were made. */
  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#inTurn.then(() => {
      if (this.#closing !== undefined) throw new LeoAppError('closed', 'this connection has been closed');
      return work();
    });
    this.#inTurn = done.catch(() => undefined);
    return done;
  }

  #offerAllAgain(): void {
    for (const [group, tools] of this.#offers.all()) {
      const offered = tools.map(encodeOffer);
      this.#next(async () => {
        if (!this.#offers.has(group)) return;
        await this.#register(group, offered);
      }).catch((error: unknown) => {
        if (error instanceof LeoAppError && error.code !== 'closed') {
          this.#tell({ type: 'offer_refused', group, reason: error });
        }
      });
    }
  }

  /** Takes up the calls of a group that were waiting before this run of the app offered it. */
  async #pickUp(group: string): Promise<void> {
    const sent = await this.#send({ method: 'GET', path: () => `${routes.requests.path}?pending=1` });
    const live = this.#link.live;
    if (sent.is !== 'accepted' || live === undefined) return;
    for (const request of decodePending(dataOf(sent.body))) {
      if (request.group === group && !this.#calls.has(request.id)) this.#calls.listed(request, live);
    }
  }

  #send(sending: Pick<Sending, 'method' | 'path' | 'body'>): Promise<Sent> {
    return sendPersistently(this.#link, { ...sending, wanted: () => true, random: this.#options.random });
  }

  async #register(group: string, tools: readonly WireTool[]): Promise<void> {
    const sent = await this.#send({
      method: 'POST',
      path: () => routes.register.path,
      body: (client_id) => JSON.stringify({ client_id, group, tools }),
    });
    if (sent.is !== 'accepted') throw errorOf(sent);
    this.#tell({ type: 'offered', group, tools: tools.map((tool) => tool.name) });
  }

  #tell(event: AppEvent): void {
    this.#options.onEvent?.(event);
  }
}

function withdrawPath(group: string, clientId: string): string {
  return `${routes.withdraw.path.replace(':group', encodeURIComponent(group))}?client_id=${clientId}`;
}
