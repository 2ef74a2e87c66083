// The probe's MCP server, on the probe's side of the relay: it answers by hand, so that it can also answer wrongly,
// late, or never, and keeps every message.

import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { maxSocketPathBytes } from '../../config/paths.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';
import { ProbeError } from '../probe-error.js';
import type { Trace } from '../trace.js';
import { type RelayReport, splitLines } from './relay-messages.js';

/** How a tool call is answered: a result, an error of the protocol, or never. */
export type CallAnswer =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string } }
  | 'never';

/** What the server says; read anew at each request. */
export interface ServerContent {
  readonly instructions?: string;
  readonly tools: () => readonly JsonObject[];
  readonly call: (call: ToolCall) => CallAnswer | Promise<CallAnswer>;
  /** Whether `server/discover` is answered (the 2026-07-28 wire) or unknown, as on a server of the older wire. */
  readonly modern?: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly meta: JsonObject;
  readonly connection: Connection;
}

/** One process that the harness started as its MCP server. */
export interface Connection {
  readonly index: number;
  readonly pid: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  notify(method: string, params?: JsonObject): void;
  /** `list_changed`, in the way that this connection's wire wants it. */
  toolsChanged(): void;
  progress(call: ToolCall, progress: number): void;
}

export interface ProbeServer {
  readonly connections: readonly Connection[];
  /** The pids of those that have not ended. */
  living(): readonly number[];
  close(): Promise<void>;
}

const modernVersion = '2026-07-28';

/**
 * Waits for relays on a unix socket and answers what harnesses ask of them.
 *
 * @param path the socket, in a folder of the run's own.
 * @throws {ProbeError} where the path is longer than a socket's may be: Node would cut it without a word.
 */
export async function startProbeServer(
  path: string,
  content: ServerContent,
  trace: Trace,
): Promise<ProbeServer> {
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new ProbeError(
      `${dirname(path)} is too long a path for a socket in it: set TMPDIR to a folder with a shorter one`,
    );
  }
  const connections: Connection[] = [];
  const sockets = new Set<Socket>();
  const living = new Set<number>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // Its end follows, and is what counts.
    serve(socket, content, trace, connections, living);
  });
  await new Promise<void>((done, refuse) => {
    server.once('error', refuse);
    server.listen(path, done);
  });
  return { connections, living: () => [...living], close: () => closed(server, sockets) };
}

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    for (const socket of sockets) socket.destroy();
  });
}

function serve(
  socket: Socket,
  content: ServerContent,
  trace: Trace,
  connections: Connection[],
  living: Set<number>,
): void {
  let held = '';
  let index = connections.length;
  let ended = false;
  let listenId: JsonValue | undefined;
  let connection: Connection | undefined;

  const send = (message: JsonObject) => {
    const whole = { jsonrpc: '2.0', ...message };
    trace.add({ kind: 'to-harness', server: index, message: whole });
    if (!socket.destroyed) socket.write(`${JSON.stringify({ text: JSON.stringify(whole) })}\n`);
  };
  const notify = (method: string, params?: JsonObject) =>
    send(params === undefined ? { method } : { method, params });

  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const { lines, rest } = splitLines(held, chunk);
    held = rest;
    for (const line of lines) heard(JSON.parse(line) as RelayReport); // Our own relay, of our own version.
  });
  socket.on('close', () => {
    if (connection !== undefined) living.delete(connection.pid);
    if (!ended) trace.add({ kind: 'server', server: index, what: 'killed' });
  });

  function heard(report: RelayReport): void {
    switch (report.kind) {
      case 'hello':
        index = connections.length;
        connection = {
          index,
          pid: report.pid,
          cwd: report.cwd,
          env: report.env,
          notify,
          toolsChanged: () =>
            notify(
              'notifications/tools/list_changed',
              listenId === undefined
                ? undefined
                : { _meta: { 'io.modelcontextprotocol/subscriptionId': listenId } },
            ),
          progress: (call, progress) => {
            const token = call.meta.progressToken;
            if (token !== undefined) {
              notify('notifications/progress', { progressToken: token, progress, message: 'still working' });
            }
          },
        };
        connections.push(connection);
        living.add(connection.pid);
        trace.add({ kind: 'server', server: index, what: `started, pid ${report.pid}, cwd ${report.cwd}` });
        return;
      case 'line':
        return message(report.text);
      case 'exit':
        ended = true;
        trace.add({ kind: 'server', server: index, what: 'ended by itself' });
        return;
      case 'signal':
        trace.add({ kind: 'server', server: index, what: report.name });
        return;
      case 'stdin-end':
      case 'orphaned':
        trace.add({ kind: 'server', server: index, what: report.kind });
        return;
    }
  }

  function message(text: string): void {
    const value = parsed(text);
    trace.add({ kind: 'from-harness', server: index, message: value });
    if (!isJsonObject(value)) return;
    const id = value.id;
    const method = value.method;
    if (typeof method !== 'string' || id === undefined) return;
    const params = isJsonObject(value.params) ? value.params : {};
    if (method === 'tools/call') {
      void called(id, params);
      return;
    }
    if (method === 'subscriptions/listen' && content.modern === true) {
      listenId = id;
      notify('notifications/subscriptions/acknowledged', {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      });
      return;
    }
    send({ id, ...answerTo(method, params, content) });
  }

  async function answerOf(call: ToolCall): Promise<CallAnswer> {
    try {
      return await content.call(call);
    } catch (error) {
      return { error: { code: -32603, message: error instanceof Error ? error.message : String(error) } };
    }
  }

  async function called(id: JsonValue, params: JsonObject): Promise<void> {
    if (connection === undefined) return;
    const answer = await answerOf({
      name: String(params.name),
      args: isJsonObject(params.arguments) ? params.arguments : {},
      meta: isJsonObject(params._meta) ? params._meta : {},
      connection,
    });
    if (answer === 'never') return;
    send(
      'result' in answer ? { id, result: modernResult(answer.result, content) } : { id, error: answer.error },
    );
  }
}

/** What a harness wrote as a line: a message, or its text where it is not JSON. Pure. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // Whatever it is, it is JSON.
  } catch {
    return text; // A fault of the harness, to be seen in the evidence.
  }
}

/** Everything but calls and listening, which take time. Pure. */
function answerTo(method: string, params: JsonObject, content: ServerContent): JsonObject {
  const capabilities = { tools: { listChanged: true } };
  const serverInfo = { name: 'leo-probe', version: '1' };
  const instructions = content.instructions === undefined ? {} : { instructions: content.instructions };
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion ?? '2025-06-18',
          capabilities,
          serverInfo,
          ...instructions,
        },
      };
    case 'server/discover':
      if (content.modern !== true) break;
      return {
        result: {
          resultType: 'complete',
          supportedVersions: [modernVersion],
          capabilities,
          serverInfo,
          ...instructions,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: modernResult({ tools: [...content.tools()] }, content, true) };
    default:
      break;
  }
  return { error: { code: -32601, message: `Method not found: ${method}` } };
}

function modernResult(result: JsonObject, content: ServerContent, cacheable = false): JsonObject {
  if (content.modern !== true) return result;
  return {
    resultType: 'complete',
    ...result,
    ...(cacheable ? { ttlMs: 0, cacheScope: 'private' } : {}),
  };
}
