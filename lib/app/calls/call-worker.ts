// The calls of a connection: claimed, run, answered. What comes next for a call is decided in
// calls/call-life.ts; here it is done.

import type { Progress } from '../../wire/bodies/calls.js';
import type { RequestId } from '../../wire/ids.js';
import { routes } from '../../wire/routes.js';
import type { AppEvent } from '../events.js';
import type { DaemonLink, Live } from '../link/daemon-link.js';
import { type Sent, sendPersistently } from '../link/persistent-send.js';
import type { CallRequest } from '../link/stream-events.js';
import type { ToolOffer } from '../tool.js';
import type { CallEvent } from './call-life.js';
import { HeldCalls, type Todo } from './held-calls.js';
import { outcomeOfReturn, outcomeOfThrow, resultBody, type WrittenOutcome } from './outcome.js';
import { ProgressRelay } from './progress-relay.js';
import { RunningCall } from './running-call.js';

/** What belongs to a call that this app holds. */
interface Work {
  readonly request: CallRequest;
  readonly offer: ToolOffer;
  running: { readonly call: RunningCall; readonly since: number } | undefined;
}

export interface CallWorkerOptions {
  readonly link: DaemonLink;
  /** Who handles a call; undefined where it is not ours. */
  readonly find: (group: string, tool: string) => ToolOffer | undefined;
  readonly tell: (event: AppEvent) => void;
  readonly now: () => number;
  readonly random: () => number;
}

export class CallWorker {
  readonly #options: CallWorkerOptions;
  readonly #calls = new HeldCalls<Work>();
  readonly #posts = new Set<Promise<void>>();

  constructor(options: CallWorkerOptions) {
    this.#options = options;
  }

  /** The broker lists every open call of this app: what it does not list has ended. */
  compareWith(open: readonly CallRequest[], live: Live): void {
    const listed = new Set<RequestId>(open.map((request) => request.id));
    for (const id of this.#calls.ids()) {
      if (!listed.has(id)) this.#happened(id, { type: 'unlisted', epoch: live.epoch });
    }
    for (const request of open) this.listed(request, live);
  }

  /** The broker says that a call is open. */
  listed(request: CallRequest, live: Live): void {
    const ours = request.claimedBy === live.clientId;
    if (request.claimedBy !== undefined && !ours) return;
    const offer = this.#options.find(request.group, request.tool);
    if (offer === undefined) return;
    this.#do(this.#calls.listed(request.id, live.epoch, ours, { request, offer, running: undefined }));
  }

  /** Whether a call is being done. */
  has(id: RequestId): boolean {
    return this.#calls.has(id);
  }

  cancelled(id: RequestId, reason: string): void {
    this.#happened(id, { type: 'cancelled', reason });
  }

  /** Gives up what is not done, and gives the answers that are on their way. */
  stop(reason: string): Promise<unknown> {
    for (const id of this.#calls.ids()) this.#happened(id, { type: 'closing', reason });
    return Promise.all(this.#posts);
  }

  #happened(id: RequestId, event: CallEvent): void {
    this.#do(this.#calls.happened(id, event));
  }

  #do(todo: Todo<Work> | undefined): void {
    if (todo === undefined) return;
    const { id, work, effect } = todo;
    switch (effect.do) {
      case 'claim':
        void this.#claim(id);
        return;
      case 'run':
        this.#run(id, work);
        return;
      case 'post': {
        const post = this.#post(id, work, effect.outcome).finally(() => this.#posts.delete(post));
        this.#posts.add(post);
        return;
      }
      case 'abort':
        work.running?.call.abort(effect.reason);
        this.#tellEnd(work, effect.reason, undefined);
    }
  }

  async #claim(id: RequestId): Promise<void> {
    const path = routes.claim.path.replace(':id', id);
    const sent = await this.#sendFor(id, path, (client_id) => JSON.stringify({ client_id }));
    if (sent?.is === 'accepted') this.#happened(id, { type: 'claimed' });
    else if (sent?.is === 'refused') this.#happened(id, { type: 'claim_refused', code: sent.error.code });
  }

  #run(id: RequestId, work: Work): void {
    const relay = new ProgressRelay((progress) => this.#progress(id, progress));
    const call = new RunningCall(work.request, (...told) => relay.tell(...told));
    work.running = { call, since: this.#options.now() };
    this.#options.tell({ type: 'call_started', id, agent: call.agent, tool: call.tool });
    const finish = (outcome: WrittenOutcome) => this.#happened(id, { type: 'finished', outcome });
    const threw = (error: unknown) => finish(outcomeOfThrow(error));
    try {
      const answer = work.offer.handler(call);
      // Not `await`: a handler that answers at once is answered for at once.
      if (isThenable(answer)) Promise.resolve(answer).then((value) => finish(outcomeOfReturn(value)), threw);
      else finish(outcomeOfReturn(answer));
    } catch (error) {
      threw(error);
    }
  }

  async #progress(id: RequestId, progress: Progress): Promise<void> {
    const live = this.#options.link.live;
    if (live === undefined || !this.#calls.has(id)) return;
    const body = JSON.stringify({ client_id: live.clientId, ...progress });
    await live.requests.send('POST', routes.progress.path.replace(':id', id), body);
  }

  async #post(id: RequestId, work: Work, outcome: WrittenOutcome): Promise<void> {
    const path = routes.result.path.replace(':id', id);
    const sent = await this.#sendFor(id, path, (clientId) => resultBody(clientId, outcome));
    if (sent?.is === 'accepted') {
      this.#happened(id, { type: 'accepted' });
      if (!this.#calls.has(id)) this.#tellEnd(work, outcome.code, outcome.message);
    } else if (sent?.is === 'refused') {
      const { code, message } = sent.error;
      this.#happened(id, { type: 'result_refused', code, message });
      if (!this.#calls.has(id)) this.#tellEnd(work, code, message);
    }
  }

  /** Sends for a call as long as it is not over; undefined when the link has ended. */
  async #sendFor(id: RequestId, path: string, body: (clientId: string) => string): Promise<Sent | undefined> {
    try {
      const { random } = this.#options;
      return await sendPersistently(this.#options.link, {
        method: 'POST',
        path: () => path,
        body,
        wanted: () => this.#calls.has(id),
        random,
      });
    } catch {
      return undefined;
    }
  }

  #tellEnd({ request, running }: Work, code: string, message: string | undefined): void {
    const tookMs = running === undefined ? 0 : this.#options.now() - running.since;
    this.#options.tell({
      type: 'call_ended',
      id: request.id,
      agent: request.agent,
      tool: request.tool,
      code,
      message,
      tookMs,
    });
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
