// Several prompts in one session of a harness, over the protocol that it has for programs: Claude Code's JSON lines,
// codex' app-server, and the Agent Client Protocol of the others.

import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';
import { inTime } from '../in-time.js';
import { ProbeError } from '../probe-error.js';
import type { SessionKind } from './driver.js';
import { type HarnessProcess, lastWords } from './harness-process.js';

export interface HarnessSession {
  /** Sends a prompt; resolves when the agent's turn is over. */
  prompt(text: string): Promise<void>;
}

/** A harness as a session sees it, and how long each of its answers may take. */
interface Peer {
  readonly harness: HarnessProcess;
  readonly limitMs: number;
}

/**
 * Opens a session on a harness that was started in the mode for it.
 *
 * @param limitMs how long each turn may take, and each answer before the first.
 */
export async function openSession(
  kind: SessionKind,
  harness: HarnessProcess,
  project: string,
  limitMs: number,
): Promise<HarnessSession> {
  const session = await sessionOf(kind, { harness, limitMs }, project);
  return {
    prompt: (text) => {
      const turn = session.prompt(text);
      // Who prompts looks at the model first, and may fail there and never come back for the turn.
      turn.catch(() => undefined);
      return turn;
    },
  };
}

async function sessionOf(kind: SessionKind, peer: Peer, project: string): Promise<HarnessSession> {
  switch (kind) {
    case 'stream-json':
      return streamJsonSession(peer);
    case 'acp':
      return acpSession(jsonRpc(peer, permit), project);
    case 'app-server':
      return appServerSession(peer, project);
  }
}

function streamJsonSession(peer: Peer): HarnessSession {
  const { harness } = peer;
  let over: (() => void) | undefined;
  harness.onLine((line) => {
    if (parsed(line)?.type === 'result') over?.();
  });
  return {
    prompt: (text) =>
      within(
        new Promise((done) => {
          over = done;
          const message = { role: 'user', content: [{ type: 'text', text }] };
          harness.write(`${JSON.stringify({ type: 'user', message })}\n`);
        }),
        peer,
      ),
  };
}

async function acpSession(rpc: JsonRpc, project: string): Promise<HarnessSession> {
  await rpc.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
    clientInfo: { name: 'leo-probe', version: '1' },
  });
  const made = await rpc.request('session/new', { cwd: project, mcpServers: [] });
  const sessionId = made.sessionId ?? '';
  return {
    prompt: async (text) => {
      await rpc.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    },
  };
}

async function appServerSession(peer: Peer, project: string): Promise<HarnessSession> {
  const { harness } = peer;
  let over: (() => void) | undefined;
  harness.onLine((line) => {
    if (parsed(line)?.method === 'turn/completed') over?.();
  });
  const rpc = jsonRpc(peer, () => ({}));
  await rpc.request('initialize', { clientInfo: { name: 'leo-probe', title: 'probe', version: '1' } });
  harness.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  const made = await rpc.request('thread/start', { cwd: project });
  const thread = made.thread;
  const threadId = isJsonObject(thread) ? (thread.id ?? '') : '';
  return {
    prompt: async (text) => {
      const turn = new Promise<void>((done) => {
        over = done;
      });
      await rpc.request('turn/start', { threadId, input: [{ type: 'text', text }] });
      await within(turn, peer);
    },
  };
}

/** What a harness that asks for leave to call a tool is told: the first thing that allows it. */
function permit(method: string, params: JsonObject): JsonObject {
  if (method !== 'session/request_permission') return {};
  const options = Array.isArray(params.options) ? params.options.filter(isJsonObject) : [];
  const allow = options.find((option) => String(option.kind).startsWith('allow')) ?? options[0];
  return { outcome: { outcome: 'selected', optionId: allow?.optionId ?? 'allow' } };
}

interface JsonRpc {
  request(method: string, params: JsonObject): Promise<JsonObject>;
}

function jsonRpc(peer: Peer, answer: (method: string, params: JsonObject) => JsonObject): JsonRpc {
  const { harness } = peer;
  let last = 0;
  const open = new Map<number, { done: (result: JsonObject) => void; refuse: (error: Error) => void }>();
  harness.onLine((line) => {
    const message = parsed(line);
    if (message === undefined) return;
    const id = message.id;
    if (typeof message.method === 'string') {
      if (id === undefined) return;
      const params = isJsonObject(message.params) ? message.params : {};
      const result = answer(message.method, params);
      harness.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      return;
    }
    const waiting = typeof id === 'number' ? open.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'number') return;
    open.delete(id);
    const error: JsonValue | undefined = message.error;
    if (error !== undefined)
      waiting.refuse(new ProbeError(`the harness answered ${JSON.stringify(error).slice(0, 300)}`));
    else waiting.done(isJsonObject(message.result) ? message.result : {});
  });
  return {
    request: (method, params) =>
      within(
        new Promise<JsonObject>((done, refuse) => {
          last += 1;
          open.set(last, { done, refuse });
          harness.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
        }),
        peer,
      ),
  };
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // A log line between the messages.
  }
}

/** What the promise brings, unless the harness ends first or the time is over. */
async function within<T>(promise: Promise<T>, { harness, limitMs }: Peer): Promise<T> {
  const gone = harness.ended.then(async (how) => {
    await harness.spoken;
    throw new ProbeError(`the harness ended (${how}): ${lastWords(harness.output())}`);
  });
  return inTime(Promise.race([promise, gone]), {
    limitMs,
    late: () => `the turn was not over after ${limitMs / 1000} s`,
  });
}
