// A real gateway process, spoken to in JSON-RPC as a harness does, and ended with its test.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Test } from 'tap';
import { isObject } from '../../lib/wire/json.js';
import { leo } from './daemon.js';
import { until } from './wait.js';

export type Message = Readonly<Record<string, unknown>>;
export type Id = string | number;

export interface GatewayOptions {
  /** The LEO_HOME; it need not exist. */
  readonly home: string;
  readonly args?: readonly string[];
  /** What starts it, in place of this repository's `leo mcp-server`. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export class Gateway {
  /** Every line of stdout, parsed; a line that is not JSON fails the test. */
  readonly messages: Message[] = [];
  /** The bytes of stdout. */
  readonly lines: string[] = [];
  stderr = '';
  #rest: Buffer[] = [];
  #nextId = 1000;

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stdout.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** Starts `leo mcp-server`; it never starts a daemon by itself unless `env` says otherwise. */
  static start(t: Test, { home, args = [], command, env = {}, cwd }: GatewayOptions): Gateway {
    const [program = '', ...first] = command ?? [process.execPath, leo, 'mcp-server'];
    const child = spawn(program, [...first, ...args], {
      env: { ...process.env, LEO_NO_AUTOSTART: '1', LEO_HOME: home, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const gateway = new Gateway(child);
    t.teardown(async () => {
      if (gateway.exited) return;
      child.kill('SIGKILL');
      await until('the gateway is gone', () => gateway.exited);
    });
    return gateway;
  }

  get exited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  write(bytes: string | Buffer): void {
    this.child.stdin.write(bytes);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and gives its response. */
  async request(method: string, params?: object, id: Id = this.#nextId++): Promise<Message> {
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return await this.response(id);
  }

  async response(id: Id): Promise<Message> {
    return await until(`the gateway answers ${JSON.stringify(id)}; stderr: ${this.stderr}`, () =>
      this.messages.find((message) => message.id === id && !('method' in message)),
    );
  }

  notifications(method: string): Message[] {
    return this.messages.filter((message) => message.method === method);
  }

  /** The handshake of the 2025 era. */
  async initialize(name = 'claude-code', protocolVersion = '2025-11-25'): Promise<Message> {
    const clientInfo = { name, version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /**
   * Waits until the daemon is reached. A harness is not kept waiting for it: on a slow machine the first list comes
   * without the tools of apps, and a call may have used up its time.
   */
  async reached(): Promise<void> {
    await until('the daemon is reached', async () => {
      const said = textOf(await this.call('leo_list_agents'));
      return !/^(daemon_unreachable|timeout|still waiting)/.test(said);
    });
  }

  /** The names of the tools that are listed now. */
  async toolNames(): Promise<string[]> {
    const { result } = await this.request('tools/list');
    if (!isObject(result) || !Array.isArray(result.tools))
      throw new Error(`no list: ${JSON.stringify(result)}`);
    return result.tools.map((tool) => String(tool.name));
  }

  /** Calls a tool and gives its result. */
  async call(name: string, args?: object, id?: Id): Promise<Message> {
    const { result } = await this.request('tools/call', { name, arguments: args }, id);
    return isObject(result) ? result : {};
  }

  /** Waits for the end of the process; gives the exit code, or the signal's name. */
  async exit(timeoutMs?: number): Promise<number | string> {
    await until(`the gateway ends; stderr: ${this.stderr}`, () => this.exited, timeoutMs);
    return this.child.exitCode ?? this.child.signalCode ?? 'unknown';
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString();
      this.#rest = [];
      start = end + 1;
      this.lines.push(line);
      const message: unknown = JSON.parse(line);
      if (isObject(message)) this.messages.push(message);
    }
    this.#rest.push(chunk.subarray(start));
  }
}

/** The text of a tool result's first block. */
export function textOf(result: Message): string {
  const [first] = Array.isArray(result.content) ? result.content : [];
  return isObject(first) ? String(first.text) : '';
}

/** The `_meta` of a request of the stateless 2026-07-28 wire. */
export function envelope(name = 'copilot-cli'): { readonly _meta: object } {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
}
