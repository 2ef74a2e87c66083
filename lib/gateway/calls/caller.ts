// Calls on the link: sends them, waits for their outcomes, tells the harness how it goes. The edge of
// held-calls.ts, which knows what is open.

import { type RequestId, requestId } from '../../wire/ids.js';
import type { JsonObject } from '../../wire/json.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { Clock } from '../clock.js';
import type { Link } from '../link/link.js';
import type { AppProgress, BrokerMessage, RelayedOutcome } from '../link/messages.js';
import { HeldCalls } from './held-calls.js';
import { ProgressReporter } from './progress.js';
import { type CallLimit, keepAliveEvery, softDeadlineMs } from './soft-deadline.js';

/** A request of the harness that waits for a call. */
export interface Asker {
  readonly signal: AbortSignal;
  /** When it came, by the gateway's clock. */
  readonly arrivedAt: number;
  /** Sends progress to the harness; undefined where it gave no token for it. */
  readonly report: ((progress: AppProgress) => void) | undefined;
}

/** What a waiting request is answered with. */
export type Answer =
  | RelayedOutcome
  /** The call goes on without it, and `leo_app_wait` finds it by this id. */
  | { readonly ok: 'waiting'; readonly id: RequestId };

export interface CallerOptions {
  readonly link: Pick<Link, 'send'>;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** How long the harness waits for a call, as far as it is known now. */
  readonly callLimit: () => CallLimit;
}

interface Waiter {
  readonly answer: (answer: Answer) => void;
  readonly progress: ProgressReporter | undefined;
}

/** How many cancelled calls are remembered for the next link. */
const maxCancelled = 100;
/** How long the broker may keep an outcome that has arrived, in milliseconds: many are told of in one write. */
const receiptsAfterMs = 25;
/** How many of them are kept for the next link. */
const maxReceipts = 1000;
const gone: RelayedOutcome = { ok: false, code: 'cancelled', message: 'the call was cancelled' };

export class Caller {
  readonly #held = new HeldCalls();
  readonly #waiters = new Map<RequestId, Set<Waiter>>();
  /** Calls that were cancelled since the last link was made: it may have been lost before it was said. */
  #cancelled: RequestId[] = [];
  /** Outcomes that the broker has not been told of having arrived. */
  #receipts: RequestId[] = [];
  #receiptsDue = false;

  constructor(private readonly options: CallerOptions) {}

  /** Calls an app's tool and waits for the answer. A request that the harness cancels cancels the call. */
  call(tool: CatalogueTool, args: JsonObject, asker: Asker): Promise<Answer> {
    const id = requestId(`r_${this.options.randomId()}`);
    this.#held.open(id, tool, args, this.options.clock.now());
    try {
      this.#send(id);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#held.cancel(id);
      const message = 'at $: nested too deep to be sent';
      return Promise.resolve({ ok: false, code: 'invalid_arguments', message });
    }
    return this.#wait(id, tool.name, asker, () => this.#cancel(id));
  }

  /** Waits on for a call of this session that is open or whose outcome was kept. */
  wait(id: RequestId, asker: Asker): Promise<Answer> {
    const found = this.#held.take(id);
    if (found.kind === 'open') return this.#wait(id, found.tool, asker, () => {});
    if (found.kind === 'kept') return Promise.resolve(found.outcome);
    const message = `no call ${id} of this session is waiting; its result may have been given already`;
    return Promise.resolve({ ok: false, code: 'unknown_request', message });
  }

  /** There is a new link: everything that is open goes over it again. */
  resume(): void {
    for (const id of this.#cancelled) this.#notify('call/cancel', id);
    this.#cancelled = [];
    for (const id of this.#held.ids()) this.#send(id);
    this.#tellReceipts();
  }

  /** Whether a request of the harness waits for a call. */
  get waitedFor(): boolean {
    return this.#waiters.size > 0;
  }

  /** Cancels everything: the session ends. */
  cancelAll(): void {
    for (const id of this.#held.ids()) this.#cancel(id);
  }

  take(message: BrokerMessage): void {
    switch (message.kind) {
      case 'outcome':
        this.#receipt(message.id);
        if (this.#held.settle(message.id, message.outcome, this.#waiters.has(message.id))) {
          this.#answer(message.id, message.outcome);
        }
        break;
      case 'claimed':
        this.#held.claimed(message.id, message.claimant);
        break;
      case 'unclaimed':
        this.#held.unclaimed(message.id);
        break;
      case 'progress':
        for (const waiter of this.#waiters.get(message.id) ?? []) waiter.progress?.report(message.progress);
        break;
      default:
    }
  }

  /** How many milliseconds a request may still wait; undefined is for ever. */
  patienceMs({ arrivedAt, report }: Asker): number | undefined {
    const soft = softDeadlineMs(this.options.callLimit(), report !== undefined);
    return soft === undefined ? undefined : Math.max(0, arrivedAt + soft - this.options.clock.now());
  }

  #wait(id: RequestId, tool: string, asker: Asker, onAbort: () => void): Promise<Answer> {
    const { clock, callLimit } = this.options;
    const { report, signal } = asker;
    const patience = this.patienceMs(asker);
    return new Promise((resolve) => {
      const finish = (answer: Answer) => {
        waiter.progress?.stop();
        callOff();
        signal.removeEventListener('abort', aborted);
        resolve(answer);
      };
      const leave = (answer: Answer) => {
        this.#leave(id, waiter);
        finish(answer);
      };
      const aborted = () => {
        leave(gone);
        onAbort();
      };
      const callOff =
        patience === undefined ? () => {} : clock.after(patience, () => leave({ ok: 'waiting', id }));
      const waiter: Waiter = {
        answer: finish,
        progress:
          report === undefined
            ? undefined
            : new ProgressReporter(clock, tool, keepAliveEvery(callLimit()), report),
      };
      const others = this.#waiters.get(id);
      if (others === undefined) this.#waiters.set(id, new Set([waiter]));
      else others.add(waiter);
      if (signal.aborted) aborted();
      else signal.addEventListener('abort', aborted);
    });
  }

  #leave(id: RequestId, waiter: Waiter): void {
    const waiters = this.#waiters.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(id);
  }

  #answer(id: RequestId, answer: Answer): void {
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const waiter of waiters ?? []) waiter.answer(answer);
  }

  #cancel(id: RequestId): void {
    if (!this.#held.cancel(id)) return;
    this.#notify('call/cancel', id);
    this.#cancelled = [...this.#cancelled.slice(-maxCancelled), id];
    this.#answer(id, gone);
  }

  #send(id: RequestId): void {
    const params = this.#held.toSend(id, this.options.clock.now());
    if (params === undefined) return;
    if (this.options.link.send({ jsonrpc: '2.0', id, method: 'call', params })) this.#held.sent(id);
  }

  #receipt(id: RequestId): void {
    this.#receipts.push(id);
    this.#tellReceipts();
  }

  #tellReceipts(): void {
    if (this.#receiptsDue || this.#receipts.length === 0) return;
    this.#receiptsDue = true;
    this.options.clock.after(receiptsAfterMs, () => {
      this.#receiptsDue = false;
      const due = this.#receipts;
      // What no link took is told over the next one.
      this.#receipts = due.filter((one) => !this.#notify('call/received', one)).slice(-maxReceipts);
    });
  }

  #notify(method: 'call/cancel' | 'call/received', id: RequestId): boolean {
    return this.options.link.send({ jsonrpc: '2.0', method, params: { id } });
  }
}
