// The POSTs, GETs and DELETEs to one daemon, over connections that stay open. Each answers within bounded time
// with a verdict; nothing here is thrown and nothing is tried twice.
//
// undici's `dispatch` and no promise of a body in between: an app answers thousands of calls a second, each
// with two of these.

import { buildConnector, type Dispatcher, Pool } from 'undici';
import { shareCorkedWrites } from '../../wire/shared-writes.js';
import { LeoAppError } from '../errors.js';
import { type Target, targetName } from './target.js';
import { type Verdict, verdictOf } from './verdict.js';

/** How many requests are under way at once; the others wait. Small ones share connections, and so writes. */
const connections = 4;
const pipelining = 32;
/** A body from this many characters on has a connection to itself, so that nothing small waits behind it. */
const largeBody = 64 * 1024;
/** How long connecting may take, and how long an answer, in milliseconds. */
const connectWithinMs = 5000;
const answerWithinMs = 15_000;

export class DaemonRequests {
  readonly #small: Pool;
  readonly #large: Pool;
  readonly #target: Target;
  readonly #headers: readonly string[];
  readonly #bodyHeaders: readonly string[];

  constructor(target: Target) {
    this.#target = target;
    this.#headers = target.token === undefined ? [] : ['authorization', `Bearer ${target.token}`];
    this.#bodyHeaders = [...this.#headers, 'content-type', 'application/json'];
    const connector = buildConnector({
      timeout: connectWithinMs,
      ...(target.socket === undefined ? {} : { socketPath: target.socket }),
    });
    const options: Pool.Options = {
      connections,
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
      // Shorter than a server's own, so that a connection is never used while it is being closed.
      keepAliveTimeout: 4000,
      connect: (to, connected) =>
        connector(to, (error, socket) => {
          if (error !== null) return connected(error, null);
          shareCorkedWrites(socket);
          connected(null, socket);
        }),
    };
    this.#small = new Pool(target.origin, { ...options, pipelining });
    this.#large = new Pool(target.origin, { ...options, pipelining: 1 });
  }

  /** Sends a request and gives what the daemon's answer means. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Promise<Verdict> {
    return new Promise((resolve) => {
      const headers = body === undefined ? this.#headers : this.#bodyHeaders;
      const handler = new Answer(resolve, this.#target);
      const pool = (body?.length ?? 0) < largeBody ? this.#small : this.#large;
      // Every POST of ours may be sent twice (design 5), so one may go out before the one before it is answered.
      // undici takes it for long-lived, and holds back what comes after it, where it is not said that it is not.
      const request = {
        method,
        path,
        headers: [...headers],
        body: body ?? null,
        idempotent: true,
        blocking: false,
      };
      pool.dispatch(request, handler);
    });
  }

  /** Ends every connection; what is under way is lost. */
  close(): void {
    for (const pool of [this.#small, this.#large]) pool.destroy().catch(() => undefined);
  }
}

class Answer implements Dispatcher.DispatchHandler {
  #status = 0;
  readonly #body: Buffer[] = [];
  readonly #resolve: (verdict: Verdict) => void;
  readonly #target: Target;

  constructor(resolve: (verdict: Verdict) => void, target: Target) {
    this.#resolve = resolve;
    this.#target = target;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.#resolve(verdictOf(this.#status, Buffer.concat(this.#body).toString()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    const error = new LeoAppError(
      'unreachable',
      `the daemon at ${targetName(this.#target)} did not answer: ${cause.message}`,
      {
        cause,
      },
    );
    this.#resolve({ is: 'lost', error });
  }
}
