// A harness for tests of the probe, as a program: it does what Claude Code does as far as the probe looks, and goes
// wrong in the ways that its first argument names. It uses nothing but Node, so that it starts at once.
//
//   node stand-in-claude.js SWITCHES -p --allowedTools=… [--continue] PROMPT
//   node stand-in-claude.js SWITCHES -p --allowedTools=… --input-format stream-json …
//   node stand-in-claude.js SWITCHES --version

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Switches } from './stand-in-install.js';

interface ServerEntry {
  readonly command: string;
  readonly args: string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

interface ToolContent {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** A message of MCP, as far as it is looked at. */
interface McpMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progressToken?: number };
  readonly result?: {
    readonly instructions?: string;
    readonly tools?: readonly Tool[];
    readonly content?: readonly ToolContent[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Block {
  readonly type: string;
  text?: string;
  readonly id?: string;
  readonly name?: string;
  input?: Record<string, unknown>;
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly object[];
}

const [switchText = '{}', ...args] = process.argv.slice(2);
const switches = JSON.parse(switchText) as Switches;
const home = process.env.HOME ?? '';
const remembered = join(home, 'stand-in-session.json');

/** Longer than any test; what nobody ended, because its test was killed itself, ends then. */
const lifetimeMs = 120_000;

function hang(): Promise<never> {
  setTimeout(() => process.exit(4), lifetimeMs);
  return new Promise(() => undefined);
}

/** Two that outlive their parent, one of them in a process group of its own. */
function leaveChildren(file: string): void {
  const pids = [false, true].map((detached) => {
    const program = `setTimeout(() => undefined, ${lifetimeMs})`;
    const child = spawn(process.execPath, ['-e', program], { detached, stdio: 'inherit' });
    child.unref();
    return child.pid;
  });
  // Whoever sees the file finds all of it.
  writeFileSync(`${file}.new`, JSON.stringify([process.pid, ...pids]));
  renameSync(`${file}.new`, file);
}

class Server {
  #tools: readonly Tool[] = [];
  #lastId = -1;
  readonly #open = new Map<number, (message: McpMessage) => void>();
  /** Restarts the clock of a call, by its id. */
  readonly #clocks = new Map<number, () => void>();
  readonly #child: ChildProcess;
  instructions = '';

  constructor(
    readonly name: string,
    readonly entry: ServerEntry,
  ) {
    const written = Object.entries(entry.env ?? {}).map(([variable, value]) => [
      variable,
      value.replace(/\$\{(\w+)\}/g, (_, inner: string) => process.env[inner] ?? ''),
    ]);
    const env = { ...process.env, STAND_IN: '1', ...Object.fromEntries(written) };
    this.#child = spawn(entry.command, entry.args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(this.#child.stdout ?? process.stdin);
    lines.on('line', (line) => this.#heard(JSON.parse(line)));
  }

  async start(): Promise<void> {
    if (switches.saysNoJson) this.#child.stdin?.write('this is not JSON\n[1]\n');
    const { result } = await this.#request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'claude-code', version: '9.8.7' },
    });
    this.instructions = result?.instructions ?? '';
    this.#send({ method: 'notifications/initialized' });
    await this.#list();
  }

  /** One tool that the protocol does not allow costs all of them. */
  async #list(): Promise<void> {
    const { result } = await this.#request('tools/list', {});
    const tools = result?.tools ?? [];
    this.#tools = tools.every((tool) => tool.inputSchema?.type === 'object') ? tools : [];
  }

  #heard(message: McpMessage): void {
    if (message.method === 'notifications/tools/list_changed' && switches.relists !== false)
      void this.#list();
    const token = message.params?.progressToken;
    if (token !== undefined && switches.progressExtends) this.#clocks.get(token)?.();
    if (message.id !== undefined) this.#open.get(message.id)?.(message);
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #request(method: string, params: object, timeout = 1e8): Promise<McpMessage> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((done) => {
      const giveUp = () => {
        this.#send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'timed out' } });
        this.#open.get(id)?.({ error: { code: -32001, message: 'Request timed out' } });
      };
      let timer = setTimeout(giveUp, timeout);
      this.#clocks.set(id, () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, timeout);
      });
      this.#open.set(id, (message) => {
        clearTimeout(timer);
        this.#open.delete(id);
        this.#clocks.delete(id);
        done(message);
      });
      this.#send({ id, method, params: { ...params, _meta: { progressToken: id } } });
    });
  }

  get offered() {
    return this.#tools
      .filter(({ inputSchema }) => !['anyOf', 'oneOf', 'allOf'].some((word) => word in inputSchema))
      .map(({ name, description = '', inputSchema }) => ({
        name: this.#named(name),
        description: description.length > 2048 ? `${description.slice(0, 2048)}… [truncated]` : description,
        input_schema: inputSchema,
      }));
  }

  #named(tool: string): string {
    return `mcp__${this.name}__${tool}`.replace(/[^\w-]/g, '_');
  }

  /** The content for the model, and whether it is an error. */
  async call(offered: string, input: object): Promise<[object[], boolean]> {
    const tool = this.#tools.find(({ name }) => this.#named(name) === offered);
    if (tool === undefined) return [[{ type: 'text', text: `no tool ${offered}` }], true];
    const asked = { name: tool.name, arguments: input };
    const { result, error } = await this.#request(
      'tools/call',
      asked,
      this.entry.timeout ?? switches.callLimitMs,
    );
    if (error !== undefined)
      return [[{ type: 'text', text: `MCP error ${error.code}: ${error.message}` }], true];
    const blocks = (result?.content ?? []).map(({ type, text, data, mimeType }) =>
      type === 'image' ? { type, source: { type: 'base64', media_type: mimeType, data } } : { type, text },
    );
    return [blocks, result?.isError === true];
  }

  /** Closes its stdin and waits for its end, for a while. */
  async close(): Promise<void> {
    const ended = new Promise((done) => {
      this.#child.once('exit', done);
    });
    this.#child.stdin?.end();
    await Promise.race([ended, new Promise((done) => setTimeout(done, 2000))]);
    this.#child.kill('SIGKILL');
  }
}

/** One request to the model, streamed; gives the blocks of its answer. */
async function ask(messages: readonly Message[], server: Server): Promise<readonly Block[]> {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY ?? '' },
    body: JSON.stringify({
      model: 'claude-stand-in',
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: `# MCP Server Instructions\n${server.instructions}` }],
      // Like every real one it has tools of its own.
      tools: [
        { name: 'Read', description: 'Reads a file', input_schema: { type: 'object' } },
        ...server.offered,
      ],
      messages,
    }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const events = (await response.text())
    .split('\n\n')
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data));
  const blocks: Block[] = [];
  for (const event of events) {
    const block = blocks[event.index];
    if (event.type === 'content_block_start') blocks.push(event.content_block);
    if (event.type !== 'content_block_delta' || block === undefined) continue;
    if (event.delta.type === 'text_delta') block.text += event.delta.text;
    else block.input = JSON.parse(event.delta.partial_json);
  }
  return blocks;
}

/** One turn of the agent: until the model says something. */
async function turn(messages: Message[], prompt: string, server: Server): Promise<void> {
  messages.push({ role: 'user', content: prompt });
  for (;;) {
    const blocks = await ask(messages, server);
    messages.push({ role: 'assistant', content: blocks });
    const call = blocks.find(({ type }) => type === 'tool_use');
    if (call === undefined) return;
    const [content, isError] = await server.call(call.name ?? '', call.input ?? {});
    if (switches.hangs === 'after the call') await hang();
    const answer = { type: 'tool_result', tool_use_id: call.id, content, is_error: isError };
    messages.push({ role: 'user', content: [answer] });
  }
}

if (args[0] === '--version') {
  if (switches.hangs === 'at --version') await hang();
  process.stdout.write(switches.version === undefined ? '9.8.7 (Stand-in)\n' : switches.version);
  process.exit(0);
}
if (switches.children !== undefined) leaveChildren(switches.children);
if (switches.asksFor !== undefined) {
  await fetch(`${process.env.ANTHROPIC_BASE_URL}${switches.asksFor}`, { method: 'POST', body: '{}' });
}
if (switches.fails !== undefined) {
  process.stderr.write(switches.fails);
  process.exit(3);
}
if (switches.hangs === 'at the start') await hang();

const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
const [[name, entry] = ['', undefined]] = Object.entries<ServerEntry>(mcpServers);
if (entry === undefined) throw new Error('no MCP server is configured');
const server = new Server(name, entry);
await server.start();
const messages: Message[] =
  args.includes('--continue') && existsSync(remembered) ? JSON.parse(readFileSync(remembered, 'utf8')) : [];
if (args.includes('--input-format')) {
  for await (const line of createInterface(process.stdin)) {
    await turn(messages, JSON.parse(line).message.content[0].text, server);
    process.stdout.write(`${JSON.stringify({ type: 'result', subtype: 'success' })}\n`);
  }
} else {
  await turn(messages, args.at(-1) ?? '', server);
  writeFileSync(remembered, JSON.stringify(messages));
}
await server.close();
process.exit(0);
