// One question over HTTP to whoever listens somewhere, answered or given up in bounded time. No token is ever sent:
// who listens at a port may be anybody.

import { request } from 'node:http';
import { isObject } from '../../wire/json.js';
import type { Answer } from '../facts.js';

/** Somebody's socket, or `http://host:port`. */
export type Target = { readonly socketPath: string } | { readonly url: string };

/** More than any answer of a daemon has, in characters: what else listens may send without end. */
const mostText = 16 * 1024 * 1024;

type Said = { readonly kind: 'text'; readonly text: string } | Exclude<Answer, { readonly kind: 'leo' }>;

/**
 * Asks for `/health`.
 *
 * @param limitMs how long the answer may take, in milliseconds.
 */
export async function askHealth(target: Target, limitMs: number): Promise<Answer> {
  const said = await ask(target, '/health', limitMs);
  if (said.kind !== 'text') return said;
  const data = dataOf(said.text);
  if (!isObject(data) || typeof data.version !== 'string' || typeof data.uptime_s !== 'number') {
    return { kind: 'other', why: 'its answer to /health is not one of Leo' };
  }
  return { kind: 'leo', version: data.version, uptimeS: data.uptime_s };
}

/** The `data` of a daemon's answer; undefined where there is none in time. */
export async function askData(target: Target, path: string, limitMs: number): Promise<unknown> {
  const said = await ask(target, path, limitMs);
  return said.kind === 'text' ? dataOf(said.text) : undefined;
}

function ask(target: Target, path: string, limitMs: number): Promise<Said> {
  return new Promise((resolve) => {
    const options = { path, agent: false, signal: AbortSignal.timeout(limitMs) };
    const failed = (error: NodeJS.ErrnoException) => resolve(failure(error));
    const answered = (response: import('node:http').IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > mostText) response.destroy(new Error('its answer has no end'));
      });
      response.on('error', failed);
      response.on('end', () => resolve({ kind: 'text', text }));
    };
    const call =
      'url' in target
        ? request(target.url, options, answered)
        : request({ ...options, socketPath: target.socketPath }, answered);
    call.on('error', failed);
    call.end();
  });
}

function failure(error: NodeJS.ErrnoException): Said {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return { kind: 'silent' };
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return { kind: 'refused' };
  if (error.code === 'EACCES' || error.code === 'EPERM') return { kind: 'denied' };
  return { kind: 'other', why: error.message };
}

function dataOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.ok === true ? value.data : undefined;
  } catch {
    return undefined; // No answer of Leo's.
  }
}
