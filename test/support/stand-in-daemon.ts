// A stand-in for the daemon: the far end of a gateway's link, played message by message, for what a real
// daemon does not do on demand.

import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { placesOf } from '../../lib/config/paths.js';
import { isObject } from '../../lib/wire/json.js';
import type { WireCatalogueTool } from '../../lib/wire/tool.js';

export type LinkMessage = Readonly<Record<string, unknown>>;

export interface StandInOptions {
  readonly epoch?: string;
  readonly tools?: readonly WireCatalogueTool[];
  readonly denied?: readonly string[];
  /** Laid over the result of `hello`. */
  readonly greeting?: object;
  /** What `hello` is answered with, in place of a greeting. */
  readonly refusal?: object;
}

export class StandInDaemon {
  /** Everything that came, over all links. */
  readonly received: LinkMessage[] = [];
  readonly authorizations: (string | undefined)[] = [];
  readonly links = new Set<WebSocket>();

  private constructor(
    private readonly http: Server,
    private readonly options: StandInOptions,
  ) {
    new WebSocketServer({ server: http }).on('connection', (socket, request) => {
      this.authorizations.push(request.headers.authorization);
      this.links.add(socket);
      socket.on('close', () => this.links.delete(socket));
      socket.on('message', (data) => {
        const message: unknown = JSON.parse(String(data));
        if (!isObject(message)) return;
        this.received.push(message);
        if (message.method === 'hello') this.#greet(socket);
      });
    });
  }

  /** Listens where the daemon of a home would. */
  static async atHome(t: Test, home: string, options: StandInOptions = {}): Promise<StandInDaemon> {
    const places = placesOf({ LEO_HOME: home });
    mkdirSync(places.state, { recursive: true });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(places.socket, resolve));
    return StandInDaemon.#serve(t, http, options);
  }

  /** Listens on a TCP port of the loopback; gives its URL too. */
  static async onTcp(t: Test, options: StandInOptions = {}): Promise<{ daemon: StandInDaemon; url: string }> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    const port = isObject(address) ? address.port : 0;
    return { daemon: StandInDaemon.#serve(t, http, options), url: `http://127.0.0.1:${port}` };
  }

  static #serve(t: Test, http: Server, options: StandInOptions): StandInDaemon {
    const daemon = new StandInDaemon(http, options);
    t.teardown(() => daemon.stop());
    return daemon;
  }

  /** What came by a method, in order. */
  got(method: string): LinkMessage[] {
    return this.received.filter((message) => message.method === method);
  }

  send(message: object): void {
    for (const link of this.links) link.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  changeCatalogue(tools: readonly WireCatalogueTool[]): void {
    this.send({ method: 'catalogue/changed', params: { revision: 2, ever_registered: true, tools } });
  }

  /** Cuts every link, as a crash does, and listens no more. */
  async stop(): Promise<void> {
    for (const link of this.links) link.terminate();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  #greet(socket: WebSocket): void {
    const { epoch = 'e1', tools = [], denied = [], greeting, refusal } = this.options;
    const catalogue = { revision: 1, ever_registered: tools.length > 0, tools };
    const result = { protocol: 1, version: '0.0.0', epoch, denied, catalogue, ...greeting };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'hello', ...(refusal ?? { result }) }));
  }
}
