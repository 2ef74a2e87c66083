// The scripted model: one HTTP server on loopback that speaks the four APIs, and asks a script what to say. It
// checks nothing of what a harness sends. What it does not know is answered 404 in words and kept, so that a probe
// can say what a harness asked for.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import type { ModelCodec, ModelReply, ModelRequest, StreamedEvent } from './conversation.js';
import { gemini } from './gemini.js';
import { textAt } from './reading.js';
import { responses } from './responses.js';

const codecs: readonly ModelCodec[] = [anthropic, chat, responses, gemini];

/** Decides what the model says; it may take its time. */
export type ModelScript = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

export interface ModelServer {
  readonly port: number;
  /** What was asked for that no API here has, as `METHOD path`. */
  readonly unknown: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a scripted model on a free port.
 *
 * @param script asked once for each request; what it throws is answered 500, with the words of the error.
 * @param host the address that it listens on.
 */
export async function startModel(script: ModelScript, host = '127.0.0.1'): Promise<ModelServer> {
  const unknown: string[] = [];
  let answered = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      refuse(response, 500, error instanceof Error ? error.message : String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').replace(/[?#].*$/, '');
    const body = await jsonBody(request);
    const small = smallAnswer(path);
    if (small !== undefined) return sendJson(response, 200, small);
    const codec = codecs.find((entry) => entry.owns(path));
    if (codec === undefined || request.method !== 'POST' || body === undefined) {
      const asked = `${request.method} ${path}`;
      const noJson = codec !== undefined && request.method === 'POST';
      unknown.push(noJson ? `${asked} without a JSON object` : asked);
      return refuse(
        response,
        404,
        noJson ? `${asked} wants a JSON object` : `the scripted model has no ${asked}`,
      );
    }
    const read = codec.read(path, body);
    const reply = await script(read);
    answered += 1;
    const ids = { message: `msg_${answered}`, call: `call_${answered}` };
    const model = textAt(body.model) || 'scripted';
    if (!read.streamed) return sendJson(response, 200, codec.whole(reply, ids, model));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(streamText(codec.stream(reply, ids, model), codec.end));
  }

  await new Promise<void>((done, refuse) => {
    server.once('error', refuse);
    server.listen(0, host, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    unknown,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Lists of models and counts of tokens: asked by the way, and of no matter. */
function smallAnswer(path: string): JsonValue | undefined {
  if (/\/models$/.test(path)) {
    const ids = ['scripted', 'gpt-4.1', 'm1'];
    return { object: 'list', data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'leo' })) };
  }
  if (/\/count_tokens$/.test(path)) return { input_tokens: 1 };
  if (/:countTokens$/.test(path)) return { totalTokens: 1 };
  return undefined;
}

function streamText(events: readonly StreamedEvent[], end: string | undefined): string {
  const text = events
    .map(
      ({ event, data }) =>
        `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
    )
    .join('');
  return end === undefined ? text : `${text}data: ${end}\n\n`;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const type = status === 404 ? 'not_found_error' : 'api_error';
  sendJson(response, status, { type: 'error', error: { type, code: status, message } });
}

function sendJson(response: ServerResponse, status: number, body: JsonValue): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function jsonBody(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: no API here has such a request, and it is answered as unknown.
  }
}
