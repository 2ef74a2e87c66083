// The driver: a raw client of a stdio MCP server, line by line, so that what is measured is the server. An
// answer's time is that of its line's last byte, before the line is parsed.

import { type ChildProcess, spawn } from 'node:child_process';
import { isObject, type JsonObject } from '../lib/wire/json.js';
import type { ServerCommand } from './servers.js';

export interface Answer {
  readonly result: unknown;
  /** When the answer's line was whole, on the clock of `performance.now()`. */
  readonly at: number;
}
export interface McpClient {
  readonly pid: number;
  /** When the process was spawned, on the clock of `performance.now()`. */
  readonly spawnedAt: number;
  /** The answer to `tools/list`, asked for in the same write as `initialize`. */
  readonly listed: Promise<Answer>;
  request(method: string, params: JsonObject): Promise<Answer>;
  /** Waits for the next notification of a method; gives its time. */
  notified(method: string): Promise<number>;
  /** Ends the process and waits for its end. */
  end(): Promise<void>;
}

/** What a harness that re-lists says first. */
const opening: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'claude-code', version: '2.1.197' },
};
const newline = 10;

/** Starts a server and writes `initialize`, `initialized` and `tools/list` at once. */
export function startClient({ args, env }: ServerCommand): McpClient {
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  killWithUs(child);
  const { stdin, stdout, pid = 0 } = child;
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  const listeners = new Map<string, ((at: number) => void)[]>();
  let lastId = 0;

  const write = (message: JsonObject) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  const expect = (id: number) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });

  let parts: Buffer[] = [];
  stdout.on('data', (chunk: Buffer) => {
    const at = performance.now();
    let rest = chunk;
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8');
      parts = [];
      rest = rest.subarray(end + 1);
      receive(JSON.parse(line), at);
    }
    if (rest.length > 0) parts.push(rest);
  });
  const receive = (message: unknown, at: number) => {
    if (!isObject(message)) return;
    const { id, method, result, error } = message;
    if (typeof method === 'string') {
      const due = listeners.get(method) ?? [];
      listeners.delete(method);
      for (const listener of due) listener(at);
    } else if (typeof id === 'number') {
      const one = waiting.get(id);
      waiting.delete(id);
      const failed = error !== undefined || (isObject(result) && result.isError === true);
      if (failed) one?.reject(new Error(`the server answers ${JSON.stringify(error ?? result)}`));
      else one?.resolve({ result, at });
    }
  };
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      for (const one of waiting.values()) one.reject(new Error(`the server ended (${code ?? signal})`));
      waiting.clear();
      resolve();
    }),
  );

  const initialized = expect(++lastId);
  const listed = expect(++lastId);
  initialized.catch(() => undefined);
  listed.catch(() => undefined);
  stdin.on('error', () => undefined);
  stdin.write(
    write({ id: 1, method: 'initialize', params: opening }) +
      write({ method: 'notifications/initialized' }) +
      write({ id: 2, method: 'tools/list', params: {} }),
  );
  return {
    pid,
    spawnedAt,
    listed,
    request(method, params) {
      const id = ++lastId;
      const answer = expect(id);
      stdin.write(write({ id, method, params }));
      return answer;
    },
    notified: (method) =>
      new Promise((resolve) => {
        listeners.set(method, [...(listeners.get(method) ?? []), resolve]);
      }),
    async end() {
      stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await ended;
      clearTimeout(timer);
    },
  };
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Makes sure that a child does not outlive the bench, however it ends. */
export function killWithUs(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}
