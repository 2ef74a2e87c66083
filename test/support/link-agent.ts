// An agent's gateway link spoken by hand (lib/wire/link.ts), for tests of the broker alone.

import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Test } from 'tap';
import WebSocket from 'ws';
import { isObject } from '../../lib/wire/json.js';
import { spoken } from '../../lib/wire/link-protocol.js';
import { until } from './wait.js';

export type LinkMessage = Readonly<Record<string, unknown>>;

export interface LinkAgentOptions {
  readonly agent?: string;
  readonly session?: string;
  readonly protocol?: number;
  /** The version of Leo that it says it is. */
  readonly version?: string;
  readonly mode?: 'native' | 'fallback';
  /** `ws+unix:PATH:/api/v1/gateway` is made of this, or a whole URL is taken. */
  readonly socket: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class LinkAgent {
  readonly messages: LinkMessage[] = [];
  readonly session: string;
  readonly #arrived = new EventEmitter().setMaxListeners(0);
  #next = 1;

  private constructor(
    readonly webSocket: WebSocket,
    session: string,
  ) {
    this.session = session;
    webSocket.on('message', (data) => {
      const value: unknown = JSON.parse(String(data));
      if (isObject(value)) this.messages.push(value);
      this.#arrived.emit('message');
    });
    webSocket.on('error', () => undefined);
  }

  /** Opens the link; `hello` is the caller's to say, or `LinkAgent.start` says it. */
  static async open(t: Test, options: LinkAgentOptions): Promise<LinkAgent> {
    const url = options.socket.includes('://') ? options.socket : `ws+unix:${options.socket}:/api/v1/gateway`;
    const webSocket = new WebSocket(url, { perMessageDeflate: false, headers: { ...options.headers } });
    const agent = new LinkAgent(webSocket, options.session ?? `s_${randomBytes(9).toString('base64url')}`);
    t.teardown(() => webSocket.terminate());
    await once(webSocket, 'open');
    return agent;
  }

  /** Opens the link and says hello. */
  static async start(t: Test, options: LinkAgentOptions): Promise<LinkAgent> {
    const agent = await LinkAgent.open(t, options);
    await agent.request('hello', {
      protocol: options.protocol ?? spoken.newest,
      version: options.version ?? '0.0.0-test',
      session: agent.session,
      agent: options.agent ?? 'tester',
      harness: { name: 'test-harness', version: '1.0.0' },
      mode: options.mode ?? 'native',
    });
    return agent;
  }

  send(message: object): void {
    this.webSocket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  notify(method: string, params: object = {}): void {
    this.send({ method, params });
  }

  /** Sends a request and gives its whole response, result or error. */
  async request(method: string, params: object, id: string | number = this.#next++): Promise<LinkMessage> {
    this.send({ id, method, params });
    return await this.response(id);
  }

  /** Parks a call; its response comes when it ends. */
  park(id: string, tool: string, args: object = {}, resume?: object): void {
    this.send({
      id,
      method: 'call',
      params: { tool, arguments: args, ...(resume === undefined ? {} : { resume }) },
    });
  }

  async response(id: string | number): Promise<LinkMessage> {
    return await this.find(`a response to ${id}`, (message) => message.id === id);
  }

  async notification(method: string): Promise<LinkMessage> {
    return await this.find(`the notification ${method}`, (message) => message.method === method);
  }

  /** The first message, come or yet to come, that a check picks. */
  async find(what: string, check: (message: LinkMessage) => boolean): Promise<LinkMessage> {
    return await until(what, () => this.messages.find(check));
  }

  async bye(): Promise<void> {
    this.notify('bye');
    this.webSocket.close();
    if (this.webSocket.readyState !== WebSocket.CLOSED) await once(this.webSocket, 'close');
  }
}
