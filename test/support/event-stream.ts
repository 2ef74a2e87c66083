// A reader of the event stream over plain HTTP: nothing of the app library, so that the wire itself is seen.

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Test } from 'tap';
import { isObject } from '../../lib/wire/json.js';
import { until } from './wait.js';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamOptions {
  /** A socket's path, or `http://host:port`. */
  readonly at: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The options of `http.request` for a socket's path or a URL. */
export function target(
  at: string,
  path: string,
): { socketPath: string; path: string } | { host: string; port: string; path: string } {
  if (!at.includes('://')) return { socketPath: at, path };
  const url = new URL(at);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path };
}

export class EventStream {
  readonly events: StreamEvent[] = [];
  readonly comments: string[] = [];
  /** Everything that came, as it came. */
  text = '';
  ended = false;
  #rest = '';
  #endsInNewline = false;

  private constructor(
    readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('close', () => {
      this.ended = true;
    });
    response.on('error', () => undefined);
  }

  static async open(t: Test, { at, query = '', headers = {} }: StreamOptions): Promise<EventStream> {
    const outgoing = request({
      ...target(at, `/api/v1/events${query}`),
      headers: { ...headers },
      agent: false,
    });
    outgoing.on('error', () => undefined);
    t.teardown(() => outgoing.destroy());
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return new EventStream(outgoing, response);
  }

  /** Opens a provider stream and waits for its hello. */
  static async app(
    t: Test,
    at: string,
    key?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ stream: EventStream; clientId: string }> {
    const query = `?client_tools=1${key === undefined ? '' : `&client_key=${encodeURIComponent(key)}`}`;
    const stream = await EventStream.open(t, { at, query, headers });
    const hello = await stream.find('hello', (event) => event.event === 'hello');
    return { stream, clientId: String(hello.data.client_id) };
  }

  async find(what: string, check: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    return await until(`the stream brings ${what}`, () => this.events.find(check));
  }

  async next(event: string, id?: string): Promise<StreamEvent> {
    return await this.find(
      `${event} ${id ?? ''}`,
      (found) => found.event === event && (id === undefined || found.data.id === id),
    );
  }

  close(): void {
    this.request.destroy();
  }

  #take(chunk: string): void {
    this.text += chunk;
    // A frame of megabytes comes in many chunks; only one that can hold the end of a frame is worth a look.
    const ends = chunk.includes('\n\n') || (this.#endsInNewline && chunk.startsWith('\n'));
    this.#rest += chunk;
    this.#endsInNewline = chunk.endsWith('\n');
    if (!ends) return;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        if (colon === 0) this.comments.push(line);
        else fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
      }
      const data: unknown = fields.has('data') ? JSON.parse(fields.get('data') ?? '') : undefined;
      if (isObject(data))
        this.events.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data });
    }
  }
}
