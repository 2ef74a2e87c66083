// Our own stdio transport under the SDK's `serveStdio`. The edge.
//
// - Whatever comes in, it keeps serving: a broken line is a log entry or an error answer, never the end.
// - A reader that does not keep up holds back what is read from stdin.
// - The end of stdin is reported once (`onEnd`); it is the owner who closes the transport, after the requests
//   that need no app have been answered.

import type { Readable } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { type Inbound, readLine } from './inbound.js';
import { LineReader } from './lines.js';
import { encodeLine } from './outbound.js';
import type { LineWriter } from './stdout.js';

export interface StdioOptions {
  readonly stdin: Readable;
  readonly writer: LineWriter;
  readonly log: Log;
  /** Sees every message before the SDK does. */
  readonly onInbound: (message: JSONRPCMessage) => void;
  readonly onEnd: () => void;
}

export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #lines = new LineReader();
  /** Requests that came in and were not answered, with their methods. */
  readonly #open = new Map<RequestId, string>();
  #onAnswered: (() => void) | undefined;
  #ended = false;
  #closed = false;

  constructor(private readonly options: StdioOptions) {}

  async start(): Promise<void> {
    const { stdin } = this.options;
    stdin.on('data', (chunk: Buffer) => this.#take(this.#lines.push(chunk).flatMap(readLine)));
    stdin.on('end', () => this.#end());
    stdin.on('close', () => this.#end());
    stdin.on('error', (error: Error) => {
      this.options.log(`warning: stdin failed: ${error.message}`);
      this.#end();
    });
  }

  /** Waits until no request but `tools/call` is open, for no longer than `ms`. */
  answered(clock: Clock, ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#owes()) resolve();
      else {
        this.#onAnswered = resolve;
        clock.after(ms, resolve);
      }
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    const { stdin, writer } = this.options;
    writer.write(encodeLine(message));
    if (!('method' in message) && message.id !== undefined) {
      this.#open.delete(message.id);
      if (this.#onAnswered !== undefined && !this.#owes()) this.#onAnswered();
    }
    if (writer.behind && !stdin.isPaused()) {
      stdin.pause();
      void writer.caughtUp().then(() => stdin.resume());
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.options.stdin.pause();
    this.onclose?.();
  }

  #owes(): boolean {
    return [...this.#open.values()].some(
      (method) => method !== 'tools/call' && method !== 'subscriptions/listen',
    );
  }

  #take(inbound: readonly Inbound[]): void {
    for (const one of inbound) {
      if (this.#closed) return;
      if (one.kind === 'noise') this.options.log(`warning: ignored ${one.why}`);
      else if (one.kind === 'rejected') {
        this.options.log(`warning: refused a request: ${one.message}`);
        const { id, code, message } = one;
        void this.send({ jsonrpc: '2.0', id, error: { code, message } });
      } else this.#deliver(one.message);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message) {
      if ('id' in message) this.#open.set(message.id, message.method);
      else if (message.method === 'notifications/cancelled') this.#cancelled(message.params?.requestId);
    }
    this.options.onInbound(message);
    this.onmessage?.(message);
  }

  #cancelled(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open.delete(id);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#take(this.#lines.end().flatMap(readLine));
    this.options.onEnd();
  }
}
