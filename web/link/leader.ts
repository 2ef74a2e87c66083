// What the leading tab does for all of them: it holds the one stream of this browser, tells what comes from it, and
// offers the person's tools while that is switched on.
//
// What must stay true:
// - One stream at a time; when it ends, another is opened, later each time in vain.
// - A request of our tools is claimed before it is shown, so that what is shown is ours to answer; one of another
//   browser's tools of the same names is left alone.
// - A request that ended while it was being claimed is not shown.

import { type Result, wanted } from '../human/requests.js';
import { groupName, humanTools } from '../human/tools.js';
import {
  decodeCalls,
  decodeEvent,
  decodeHello,
  decodeOwnRequest,
  decodeOwnRequests,
  parsed,
} from '../model/decode.js';
import type { ConsoleEvent, Hello, OwnRequest, State } from '../model/facts.js';
import type { Action } from '../model/reduce.js';
import type { Answer, Api } from './api.js';
import { backoffMs } from './backoff.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { Freshness } from './freshness.js';
import { places } from './places.js';
import type { RawEvent } from './sse.js';

export interface LeaderOptions {
  readonly api: Api;
  /** Under which this browser's tools and questions are kept. */
  readonly clientKey: string;
  /** Whether this browser is to answer agents. */
  readonly offers: () => boolean;
  readonly state: () => State;
  readonly dispatch: (action: Action) => void;
}

/** When a daemon is asked which of our calls it has, in milliseconds after its hello: a restarted one gets them back. */
const settleMs = [2000, 15_000] as const;
/** How many ended calls are remembered: what comes late about them is not heeded. */
const rememberedEnded = 2000;

export class Leader {
  readonly #options: LeaderOptions;
  readonly #fresh: Freshness;
  #stream: EventStream | undefined;
  #clientId: string | undefined;
  #epoch = '';
  /** Whether the daemon has taken our tools, on this stream. */
  #registered = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #settling: readonly ReturnType<typeof setTimeout>[] = [];
  /** Requests that are being claimed or answered. */
  readonly #busy = new Set<string>();
  readonly #ended = new Set<string>();
  #over = false;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#fresh = new Freshness(options.api, options.state, options.dispatch);
    this.#open();
  }

  /** Ends the stream. May be called twice. */
  end(): void {
    this.#over = true;
    this.#fresh.end();
    this.#close();
  }

  /** Somebody is looking: what waits for a timer is done now. */
  nudge(): void {
    this.#stream?.check();
    if (this.#stream === undefined) this.#open();
    this.#fresh.look();
  }

  /** The switch was turned: another kind of stream is needed. */
  async offerChanged(): Promise<void> {
    const { api, offers, dispatch } = this.#options;
    if (!offers() && this.#clientId !== undefined) {
      // Else the tools would stay for the time in which an app may come back.
      await api.send(places.group(groupName, this.#clientId), { method: 'DELETE' });
    }
    dispatch({ type: 'offering', offering: offers() ? { is: 'starting' } : { is: 'off' } });
    this.#failures = 0;
    this.#open();
  }

  /** Until our registration is taken, a request of this group is another browser's. */
  get #isOffering(): boolean {
    return this.#clientId !== undefined && this.#registered;
  }

  #open(): void {
    if (this.#over) return;
    this.#close();
    const { offers, clientKey } = this.#options;
    this.#stream = openEventStream(offers() ? places.provide(clientKey) : places.watch, {
      events: (events) => this.#take(events),
      ended: (status) => void this.#lost(status),
    });
  }

  #close(): void {
    clearTimeout(this.#retry);
    for (const timer of this.#settling) clearTimeout(timer);
    this.#stream?.close();
    this.#stream = undefined;
    this.#clientId = undefined;
    this.#registered = false;
  }

  async #lost(status: number | undefined): Promise<void> {
    this.#close();
    // Any request will do to find out whether this browser is signed in.
    if (status === 401) await this.#options.api.send(places.agents);
    if (this.#over || this.#stream !== undefined) return;
    this.#options.dispatch({ type: 'lost', at: Date.now() });
    this.#failures++;
    this.#retry = setTimeout(() => this.#open(), backoffMs(this.#failures, Math.random()));
  }

  #take(raw: readonly RawEvent[]): void {
    const now = Date.now();
    let batch: ConsoleEvent[] = [];
    const tell = () => {
      if (batch.length > 0) this.#options.dispatch({ type: 'events', at: now, events: batch });
      batch = [];
    };
    for (const { type, data: json } of raw) {
      const data = parsed(json);
      const hello = type === 'hello' ? decodeHello(data) : undefined;
      if (hello !== undefined) {
        tell();
        this.#begin(hello);
        continue;
      }
      const event = decodeEvent(type, data, now);
      if (event === undefined) continue;
      batch.push(event);
      if (event.type === 'settled' || event.type === 'cancelled') this.#remember(event.id);
      if (event.type === 'request' && event.call.group === groupName && this.#isOffering) {
        const request = decodeOwnRequest(data, this.#clientId);
        if (request !== undefined) void this.#serve(request);
      }
      if (event.type === 'tools') this.#tryAgain(event.names);
    }
    tell();
    this.#fresh.look();
  }

  #begin(hello: Hello): void {
    const { dispatch } = this.#options;
    const { epoch, version, clientId } = hello;
    this.#failures = 0;
    // Another daemon is given the calls anew, under the ids that they had.
    if (this.#epoch !== epoch) this.#ended.clear();
    this.#epoch = epoch;
    this.#clientId = clientId;
    dispatch({ type: 'hello', at: Date.now(), link: { is: 'live', epoch, version, clientId } });
    if (clientId === undefined) {
      dispatch({ type: 'offering', offering: { is: 'off' } });
      return;
    }
    void this.#register(clientId);
    for (const request of hello.requests) void this.#serve(request);
    this.#settling = settleMs.map((ms, index) =>
      setTimeout(() => void this.#settle(clientId, index === settleMs.length - 1), ms),
    );
  }

  /** Takes what came back to a restarted daemon without an event, and in the end drops what did not. */
  async #settle(clientId: string, isLast: boolean): Promise<void> {
    const { api, dispatch, state } = this.#options;
    const asOf = state().wanted.calls;
    const answer = await api.send(places.calls);
    if (answer.is !== 'done' || this.#clientId !== clientId) return;
    dispatch({ type: 'calls', asOf, calls: decodeCalls(answer.data, Date.now()) });
    if (!this.#isOffering) return;
    const open = decodeOwnRequests(answer.data, groupName, clientId);
    for (const request of open) void this.#serve(request);
    if (isLast) dispatch({ type: 'prune', open: open.map(({ id }) => id) });
  }

  #remember(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > rememberedEnded && oldest !== undefined) this.#ended.delete(oldest);
  }

  async #register(clientId: string): Promise<void> {
    const { api, dispatch } = this.#options;
    const body = { client_id: clientId, group: groupName, tools: humanTools };
    const isCurrent = () => this.#clientId === clientId;
    const answer = await api.sendPersistently(places.tools, { method: 'POST', body }, isCurrent);
    if (!isCurrent() || answer.is === 'lost') return;
    if (answer.is === 'done') {
      this.#registered = true;
      dispatch({ type: 'offering', offering: { is: 'on' } });
      // Agents may have been quicker than this answer.
      await this.#settle(clientId, false);
    } else if (answer.code === 'unknown_client') this.#open();
    else dispatch({ type: 'offering', offering: { is: 'refused', why: answer.words } });
  }

  /** The names that another app held may be free now. */
  #tryAgain(names: readonly string[]): void {
    if (this.#clientId === undefined || this.#options.state().offering.is !== 'refused') return;
    if (!humanTools.some(({ name }) => names.includes(name))) void this.#register(this.#clientId);
  }

  async #serve(request: OwnRequest): Promise<void> {
    const { id } = request;
    const clientId = this.#clientId;
    if (clientId === undefined || this.#busy.has(id)) return;
    const { api, dispatch } = this.#options;
    this.#busy.add(id);
    const isWanted = () => !this.#ended.has(id) && this.#clientId === clientId;
    try {
      if (!request.claimed) {
        const path = places.request(id, 'claim');
        const body = { client_id: clientId };
        const answer = await api.sendPersistently(path, { method: 'POST', body }, isWanted);
        if (answer.is !== 'done') return;
      }
      if (this.#ended.has(id)) return;
      const todo = wanted(request, this.#epoch, Date.now());
      if (todo.is === 'question') return dispatch({ type: 'asked', question: todo.question });
      if (todo.is === 'shown') dispatch({ type: 'shown', shown: todo.shown });
      await sendResult(api, id, clientId, todo.result, isWanted);
    } finally {
      this.#busy.delete(id);
    }
  }
}

/** Gives an agent what it waits for. Any tab may: the daemon takes one result, and tells whoever comes second. */
export async function sendResult(
  api: Api,
  id: string,
  clientId: string,
  result: Result,
  wanted: () => boolean,
): Promise<Answer> {
  const body = { client_id: clientId, ...result };
  return await api.sendPersistently(places.request(id, 'result'), { method: 'POST', body }, wanted);
}
