// A small agent: one gateway link (lib/wire/link.ts) over the unix socket, for `leo call` and the bench.
//
// It keeps the link's rules, but not a call beyond its link: when the daemon goes, the call has ended. Real
// agents hold their calls through a restart; that is the gateway's business, not that of a trial.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import WebSocket from 'ws';
import { version } from '../config/version.js';
import type { Progress } from '../wire/bodies/calls.js';
import type { ContentBlock, Outcome } from '../wire/content.js';
import { isObject, type JsonObject } from '../wire/json.js';
import {
  linkClose,
  linkError,
  linkPath,
  maxLinkMessageBytes,
  type WireCatalogue,
  type WireHelloResult,
} from '../wire/link.js';
import { saidOf, spoken } from '../wire/link-protocol.js';
import { answerWithinMs } from './daemon-client.js';

export interface AgentLink {
  readonly catalogue: WireCatalogue;
  readonly denied: readonly string[];
  /** Parks a call; the promise ends with the call, whatever its outcome, or is rejected with the link. */
  call(tool: string, args: JsonObject, options?: CallOptions): Promise<Outcome>;
  /** Says goodbye; the broker ends what is still open. */
  close(): void;
}
export interface CallOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

interface OpenCall {
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/**
 * Opens the link and says hello.
 *
 * @throws what the connection throws, a `TimeoutError` when no answer comes, or an error with the broker's words.
 */
export async function openAgentLink(socketPath: string, agent: string): Promise<AgentLink> {
  const socket = new WebSocket(`ws://leo${linkPath}`, {
    // Not ws's own `ws+unix:` form, which takes a colon in the path for its end.
    createConnection: () => connect(socketPath),
    perMessageDeflate: false,
    maxPayload: maxLinkMessageBytes,
  });
  const open = new Map<string, OpenCall>();
  const send = (message: JsonObject) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  let hello: { readonly resolve: (result: WireHelloResult) => void; readonly reject: (error: Error) => void };
  const greeted = new Promise<WireHelloResult>((resolve, reject) => {
    hello = { resolve, reject };
    socket.on('error', reject);
  });
  const timer = setTimeout(() => {
    hello.reject(new DOMException('no answer to hello', 'TimeoutError'));
    socket.terminate();
  }, answerWithinMs);
  socket.on('open', () =>
    send({
      id: 0,
      method: 'hello',
      params: {
        ...saidOf(spoken),
        version,
        session: `s_${randomBytes(12).toString('base64url')}`,
        agent,
        harness: { name: 'leo-cli', version },
        mode: 'native',
      },
    }),
  );
  socket.on('message', (data) => {
    const message: unknown = JSON.parse(String(data));
    if (!isObject(message)) return;
    const { id, method, params, result, error } = message;
    if (method === 'call/progress' && isProgress(params)) {
      const { id: call, ...progress } = params;
      open.get(call)?.onProgress?.(progress);
    } else if (id === 0) {
      if (isHelloResult(result)) hello.resolve(result);
      else hello.reject(new Error(errorText(error)));
    } else if (typeof id === 'string') {
      const call = open.get(id);
      if (call === undefined) return;
      open.delete(id);
      send({ method: 'call/received', params: { id } });
      const outcome = readOutcome(result, error);
      if (outcome === undefined) call.fail(new Error(errorText(error)));
      else call.settle(outcome);
    }
  });
  socket.on('close', (code) => {
    const error = new Error(
      code === linkClose.restarting ? 'the daemon is stopping' : 'the connection to the daemon was lost',
    );
    hello.reject(error);
    for (const call of open.values()) call.fail(error);
    open.clear();
  });
  const { catalogue, denied } = await greeted.finally(() => clearTimeout(timer));
  return {
    catalogue,
    denied,
    call: (tool, args, options = {}) =>
      new Promise((settle, fail) => {
        const id = `r_${randomBytes(12).toString('base64url')}`;
        open.set(id, { settle, fail, onProgress: options.onProgress });
        send({ id, method: 'call', params: { tool, arguments: args } });
        options.signal?.addEventListener('abort', () => {
          if (!open.delete(id)) return;
          send({ method: 'call/cancel', params: { id, reason: 'cancelled by the user' } });
          settle({ ok: false, code: 'cancelled', message: 'cancelled by the user' });
        });
      }),
    close: () => {
      if (socket.readyState === WebSocket.OPEN) send({ method: 'bye', params: {} });
      socket.close();
    },
  };
}

function isHelloResult(value: unknown): value is WireHelloResult {
  if (!isObject(value) || !isObject(value.catalogue)) return false;
  const { tools } = value.catalogue;
  return (
    Array.isArray(value.denied) &&
    Array.isArray(tools) &&
    tools.every((tool) => isObject(tool) && typeof tool.name === 'string' && isObject(tool.input_schema))
  );
}

function isProgress(value: unknown): value is Progress & { readonly id: string } {
  return isObject(value) && typeof value.id === 'string' && typeof value.progress === 'number';
}

function readOutcome(result: unknown, error: unknown): Outcome | undefined {
  if (isObject(result) && isContent(result.content)) return { ok: true, content: result.content };
  if (!isObject(error) || error.code !== linkError.callFailed || !isObject(error.data)) return undefined;
  const { code } = error.data;
  return typeof code === 'string' ? { ok: false, code, message: errorText(error) } : undefined;
}

function isContent(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block.type === 'string');
}

function errorText(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? error.message : 'an answer without words';
}
