// An app that speaks the wire by hand: its provider stream and its POSTs, one method each, so that a test can
// send them in any order, twice, or never.

import type { Test } from 'tap';
import { EventStream } from './event-stream.js';
import { type HttpAnswer, http, post } from './http.js';

const tools = '/api/v1/client-tools';

export interface RawAppOptions {
  /** A socket's path, or `http://host:port` with a token in the headers. */
  readonly at: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tool without arguments; `timeout_s: 0` makes it a handoff. */
export function tool(name: string, timeout_s = 60): object {
  return { name, description: `Does ${name}`, input_schema: { type: 'object' }, timeout_s };
}

/** A result of one text. */
export function text(...texts: readonly string[]): readonly object[] {
  return texts.map((text) => ({ type: 'text', text }));
}

export class RawApp {
  private constructor(
    readonly stream: EventStream,
    readonly clientId: string,
    readonly options: RawAppOptions,
  ) {}

  /** Opens a provider stream and waits for its hello. */
  static async open(t: Test, options: RawAppOptions): Promise<RawApp> {
    const { stream, clientId } = await EventStream.app(t, options.at, options.key, options.headers);
    return new RawApp(stream, clientId, options);
  }

  /** Opens a provider stream and registers one group. */
  static async offering(t: Test, options: RawAppOptions, ...offered: readonly object[]): Promise<RawApp> {
    const app = await RawApp.open(t, options);
    const { status, body } = await app.register('group', offered);
    if (status !== 200) throw new Error(`the registration was refused: ${JSON.stringify(body)}`);
    return app;
  }

  async register(group: string, offered: readonly object[]): Promise<HttpAnswer> {
    return await this.#post(tools, { group, tools: offered });
  }

  async withdraw(group: string): Promise<HttpAnswer> {
    return await http(this.options.at, `${tools}/groups/${group}?client_id=${this.clientId}`, {
      method: 'DELETE',
      headers: this.options.headers ?? {},
    });
  }

  async claim(id: string): Promise<HttpAnswer> {
    return await this.#post(`${tools}/requests/${id}/claim`, {});
  }

  async progress(id: string, progress: number): Promise<HttpAnswer> {
    return await this.#post(`${tools}/requests/${id}/progress`, { progress });
  }

  async result(id: string, content: readonly object[]): Promise<HttpAnswer> {
    return await this.#post(`${tools}/requests/${id}/result`, { ok: true, content });
  }

  async fail(id: string, code: string, message: string): Promise<HttpAnswer> {
    return await this.#post(`${tools}/requests/${id}/result`, { ok: false, error: { code, message } });
  }

  async #post(path: string, body: object): Promise<HttpAnswer> {
    return await post(
      this.options.at,
      path,
      { client_id: this.clientId, ...body },
      this.options.headers ?? {},
    );
  }
}

/** The calls that are open at a daemon. */
export async function openCalls(
  at: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await http(at, `${tools}/requests?pending=1`, { headers });
  const data = body.data as { requests: readonly Readonly<Record<string, unknown>>[] };
  return data.requests;
}
