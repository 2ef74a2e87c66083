// Several prompts in one session of a harness, over the protocol that it has for programs: Claude Code's JSON lines,
// codex' app-server, and the Agent Client Protocol of the others.

import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';
import { ProbeError } from '../probe-error.js';
import type { SessionKind } from './driver.js';
import type { HarnessProcess } from './harness-process.js';

export interface HarnessSession {
  /** Sends a prompt; resolves when the agent's turn is over. */
  prompt(text: string): Promise<void>;
}

const turnLimitMs = 120_000;

/** Opens a session on a harness that was started in the mode for it. */
export async function openSession(
  kind: SessionKind,
  harness: HarnessProcess,
  project: string,
): Promise<HarnessSession> {
  switch (kind) {
    case 'stream-json':
      return streamJsonSession(harness);
    case 'acp':
      return acpSession(jsonRpc(harness, permit), project);
    case 'app-server':
      return appServerSession(harness, project);
  }
}

function streamJsonSession(harness: HarnessProcess): HarnessSession {
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
        harness,
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

async function appServerSession(harness: HarnessProcess, project: string): Promise<HarnessSession> {
  let over: (() => void) | undefined;
  harness.onLine((line) => {
    if (parsed(line)?.method === 'turn/completed') over?.();
  });
  const rpc = jsonRpc(harness, () => ({}));
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
      await within(turn, harness);
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

function jsonRpc(
  harness: HarnessProcess,
  answer: (method: string, params: JsonObject) => JsonObject,
): JsonRpc {
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
        harness,
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

/** The promise, unless the harness ends first or the time is over. */
async function within<T>(promise: Promise<T>, harness: HarnessProcess): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(
      () => refuse(new ProbeError(`the turn was not over after ${turnLimitMs / 1000} s`)),
      turnLimitMs,
    );
  });
  const gone = harness.ended.then((how) => {
    throw new ProbeError(`the harness ended (${how}): ${lastWords(harness.output())}`);
  });
  try {
    return await Promise.race([promise, late, gone]);
  } finally {
    clearTimeout(timer);
  }
}

/** The end of what a harness wrote, for an error's text. */
export function lastWords(output: string): string {
  return output.trim().slice(-500) || 'it wrote nothing';
}
