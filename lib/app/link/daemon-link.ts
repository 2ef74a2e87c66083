// The link to the daemon: a provider stream that is opened again for ever, and the requests that go with it.
//
// What must stay true:
// - There is one stream at a time. The link is live from a stream's `hello` until that stream ends.
// - Each stream is asked for fresh, without Last-Event-ID: `hello` lists every open call of the app, so that
//   nothing has to be replayed.
// - A refusal that will not change by itself (a wrong token) ends the link; after everything else it dials again.

import { LeoAppError } from '../errors.js';
import { backoffMs, steadyMs } from './backoff.js';
import { DaemonRequests } from './daemon-requests.js';
import type { ProviderStream } from './provider-stream.js';
import type { Hello, StreamEvent } from './stream-events.js';
import type { Target } from './target.js';
import { openWatchedStream } from './watched-stream.js';

/** A live stream: who we are on it, and how to send what belongs to it. */
export interface Live {
  readonly clientId: string;
  readonly epoch: string;
  readonly requests: DaemonRequests;
}

export interface LinkListener {
  hello(hello: Hello, live: Live): void;
  event(event: Exclude<StreamEvent, { type: 'hello' }>, live: Live): void;
  /** The stream is gone, or could not be had; another is opened after `retryInMs`. */
  lost(reason: LeoAppError, retryInMs: number): void;
  /** Nothing more comes; with the refusal that ended the link, or none after `close`. */
  closed(reason: LeoAppError | undefined): void;
}

export interface LinkOptions {
  readonly target: () => Target;
  readonly clientKey: string | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export class DaemonLink {
  readonly #options: LinkOptions;
  readonly #listener: LinkListener;
  #requests: { readonly of: string; readonly requests: DaemonRequests } | undefined;
  #stream: ProviderStream | undefined;
  #live: Live | undefined;
  #liveSince = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended: LeoAppError | undefined;
  #waiting: { resolve(live: Live): void; reject(error: LeoAppError): void }[] = [];

  constructor(options: LinkOptions, listener: LinkListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** The stream, while there is one. */
  get live(): Live | undefined {
    return this.#live;
  }

  /** Why the link has ended, once it has. */
  get ended(): LeoAppError | undefined {
    return this.#ended;
  }

  /** The stream as soon as there is one; rejects once the link has ended. */
  whenLive(): Promise<Live> {
    if (this.#live !== undefined) return Promise.resolve(this.#live);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  open(): void {
    const { now, clientKey } = this.#options;
    const target = this.#options.target();
    const requests = this.#requestsTo(target);
    this.#stream = openWatchedStream(target, clientKey, now, {
      event: (event) => {
        if (event.type === 'hello') this.#becomeLive(event.hello, requests);
        else if (this.#live !== undefined) this.#listener.event(event, this.#live);
      },
      ended: (reason) => this.#lose(reason),
    });
  }

  /** Takes a new stream in place of one on which we are not known any more; nothing if that one is gone. */
  renew(of: Live, reason: LeoAppError): void {
    if (this.#live !== of) return;
    this.#stream?.close();
    this.#lose(reason);
  }

  /** Ends the stream and every request. May be called twice. */
  close(): void {
    this.#end(undefined);
  }

  #becomeLive(hello: Hello, requests: DaemonRequests): void {
    const live = { clientId: hello.clientId, epoch: hello.epoch, requests };
    this.#live = live;
    this.#liveSince = this.#options.now();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve(live);
    this.#listener.hello(hello, live);
  }

  #lose(reason: LeoAppError): void {
    if (this.#ended !== undefined) return;
    if (isFinal(reason)) {
      this.#end(reason);
      return;
    }
    const { now, random } = this.#options;
    const steady = this.#live !== undefined && now() - this.#liveSince >= steadyMs;
    this.#live = undefined;
    this.#failures = steady ? 1 : this.#failures + 1;
    const retryInMs = backoffMs(this.#failures, random());
    this.#timer = setTimeout(() => this.open(), retryInMs);
    this.#listener.lost(reason, retryInMs);
  }

  #end(reason: LeoAppError | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason ?? new LeoAppError('closed', 'this connection has been closed');
    this.#live = undefined;
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#requests?.requests.close();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(this.#ended);
    this.#listener.closed(reason);
  }

  #requestsTo(target: Target): DaemonRequests {
    const of = JSON.stringify(target);
    if (this.#requests?.of !== of) {
      this.#requests?.requests.close();
      this.#requests = { of, requests: new DaemonRequests(target) };
    }
    return this.#requests.requests;
  }
}

/** Whether trying again as we are can only be refused again. */
function isFinal(reason: LeoAppError): boolean {
  return reason.code === 'unauthorized' || reason.code === 'forbidden' || reason.code === 'invalid_request';
}
