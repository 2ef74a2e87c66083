// One HTTP request, told byte for byte, and its answer.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isObject } from '../../lib/wire/json.js';
import { target } from './event-stream.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: object | string;
}

/** @param at a socket's path, or `http://host:port`. */
export async function http(
  at: string,
  path: string,
  { method = 'GET', headers = {}, body }: HttpRequest = {},
): Promise<HttpAnswer> {
  const payload =
    body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const outgoing = request({
    ...target(at, path),
    method,
    agent: false,
    headers: {
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(payload.length) }),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? [...value] : String(value),
        ]),
      ),
    },
  });
  outgoing.end(payload);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  // A server that has refused a body may close while the rest of it is on its way.
  outgoing.on('error', () => undefined);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const json = response.headers['content-type']?.startsWith('application/json') !== false;
  const parsed: unknown = text === '' ? {} : json ? JSON.parse(text) : undefined;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isObject(parsed) ? parsed : { unparsed: text },
  };
}

export async function post(
  at: string,
  path: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return await http(at, path, { method: 'POST', body, headers });
}
