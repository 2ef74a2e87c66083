// The probe's MCP server with its relay as a real process, which the test starts as a harness would.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import t, { type Test } from 'tap';
import {
  type ProbeServer,
  type ServerContent,
  startProbeServer,
} from '../../../lib/probe/server/probe-server.js';
import { myTool } from '../../../lib/probe/server/probe-tools.js';
import { splitLines } from '../../../lib/probe/server/relay-messages.js';
import { startTrace, type Trace } from '../../../lib/probe/trace.js';
import type { JsonObject } from '../../../lib/wire/json.js';
import { root } from '../../support/daemon.js';
import { isAlive, until } from '../../support/wait.js';

t.jobs = 4;

const relay = join(root, 'dist', 'probe-relay.cjs');
const plain: ServerContent = {
  tools: () => [myTool.listed],
  call: ({ args }) => ({ result: { content: [{ type: 'text', text: `heard ${JSON.stringify(args)}` }] } }),
};

interface Place {
  readonly folder: string;
  readonly socket: string;
  readonly trace: Trace;
  readonly server: ProbeServer;
  /** What became of the servers, sign by sign. */
  signs(): readonly string[];
}

async function started(t: Test, content: ServerContent = plain): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-')));
  const socket = join(folder, 'relay.sock');
  const trace = startTrace();
  const server = await startProbeServer(socket, content, trace);
  t.teardown(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const signs = () => trace.entries.flatMap((entry) => (entry.kind === 'server' ? [entry.what] : []));
  return { folder, socket, trace, server, signs };
}

interface Relay {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: JsonObject[];
  say(line: string | object): void;
  /** The answer to a request. */
  ask(id: number, method: string, params?: object): Promise<JsonObject>;
  ended(): boolean;
}

/** Starts a relay as a harness does, and waits until the probe knows it. */
async function startRelay(t: Test, { folder, socket, server }: Place, lingerMs = 0): Promise<Relay> {
  const known = server.connections.length;
  const child = spawn(process.execPath, [relay, socket, String(lingerMs)], {
    cwd: folder,
    env: { CANARY: 'sings' },
  });
  const messages: JsonObject[] = [];
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const { lines, rest } = splitLines(held, chunk);
    held = rest;
    for (const line of lines) messages.push(JSON.parse(line));
  });
  child.stdin.on('error', () => undefined);
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  t.teardown(async () => {
    child.kill('SIGKILL');
    await until('the relay is gone', ended);
  });
  const say = (line: string | object) => {
    child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  };
  await until('the probe knows the relay', () => server.connections.length > known);
  return {
    child,
    messages,
    say,
    ask: (id, method, params = {}) => {
      say({ id, method, params });
      return until(`${method} is answered`, () => messages.find((message) => message.id === id));
    },
    ended,
  };
}

t.test('the official client lists, calls, and hears of changes and errors', async (t) => {
  const listed = [myTool.listed];
  const { socket, server } = await started(t, {
    instructions: 'Be good.',
    tools: () => listed,
    call: ({ name, args, connection }) => {
      if (name !== 'my_tool') return { error: { code: -32602, message: 'no such tool' } };
      listed.push({ ...myTool.listed, name: 'another' });
      connection.toolsChanged();
      return { result: { content: [{ type: 'text', text: String(args.text) }] } };
    },
  });
  const changed = new Promise<string[]>((done, refuse) => {
    const onChanged = (error: Error | null, tools: { name: string }[] | null) =>
      error === null ? done((tools ?? []).map(({ name }) => name)) : refuse(error);
    const client = new Client(
      { name: 'tester', version: '1' },
      { listChanged: { tools: { onChanged, debounceMs: 0 } } },
    );
    t.teardown(() => client.close());
    const transport = new StdioClientTransport({ command: process.execPath, args: [relay, socket, '0'] });
    (async () => {
      await client.connect(transport);
      t.match(client.getServerVersion(), { name: 'leo-probe' });
      t.equal(client.getInstructions(), 'Be good.');
      await client.ping();
      t.match((await client.listTools()).tools, [{ name: 'my_tool' }]);
      t.match(await client.callTool({ name: 'my_tool', arguments: { text: 'hello' } }), {
        content: [{ type: 'text', text: 'hello' }],
      });
      await t.rejects(client.callTool({ name: 'none' }), { code: -32602, message: /no such tool/ });
    })().catch(refuse);
  });
  t.strictSame(await changed, ['my_tool', 'another']);
  t.equal(server.connections.length, 1);
});

t.test('what a relay was started with is known, and each has a number', async (t) => {
  const place = await started(t);
  const first = await startRelay(t, place);
  const second = await startRelay(t, place);
  t.match(place.server.connections, [
    { index: 0, pid: first.child.pid, cwd: place.folder, env: { CANARY: 'sings' } },
    { index: 1, pid: second.child.pid },
  ]);
  t.strictSame(place.server.living(), [first.child.pid, second.child.pid]);
  await second.ask(1, 'ping');
  t.match(place.trace.entries.at(-1), { kind: 'to-harness', server: 1 });
});

t.test('the older wire is spoken, and the newer one only where it is wanted', async (t) => {
  const old = await startRelay(t, await started(t));
  t.match(await old.ask(1, 'server/discover'), { error: { code: -32601, message: /server\/discover/ } });
  t.match(await old.ask(2, 'initialize', { protocolVersion: '2024-11-05' }), {
    result: { protocolVersion: '2024-11-05', capabilities: { tools: { listChanged: true } } },
  });
  t.match(await old.ask(3, 'subscriptions/listen'), { error: { code: -32601 } });
  const place = await started(t, { ...plain, modern: true });
  const modern = await startRelay(t, place);
  t.match(await modern.ask(1, 'server/discover'), {
    result: { resultType: 'complete', supportedVersions: ['2026-07-28'], cacheScope: 'private' },
  });
  modern.say({ id: 2, method: 'subscriptions/listen', params: {} });
  const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 2 } };
  await until('the subscription is acknowledged', () => modern.messages.length === 2);
  t.match(modern.messages[1], {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, ...subscription },
  });
  place.server.connections[0]?.toolsChanged();
  await until('the change is told', () => modern.messages.length === 3);
  t.match(modern.messages[2], { method: 'notifications/tools/list_changed', params: subscription });
  t.match(await modern.ask(3, 'tools/list'), { result: { resultType: 'complete', ttlMs: 0 } });
});

t.test('a call is answered, fails, or is never answered; progress wants a token', async (t) => {
  const place = await started(t, {
    ...plain,
    call: (call) => {
      call.connection.progress(call, 1);
      if (call.name === 'throws') throw new Error('the script broke');
      return call.name === 'never' ? 'never' : plain.call(call);
    },
  });
  const { ask, say, messages } = await startRelay(t, place);
  t.match(await ask(1, 'tools/call', { name: 'x', arguments: { a: 1 } }), {
    result: { content: [{ text: 'heard {"a":1}' }] },
  });
  t.match(await ask(2, 'tools/call', { name: 'throws' }), {
    error: { code: -32603, message: 'the script broke' },
  });
  say({ id: 3, method: 'tools/call', params: { name: 'never', _meta: { progressToken: 'p' } } });
  await ask(4, 'ping');
  t.notOk(messages.some(({ id }) => id === 3));
  t.match(
    messages.filter(({ method }) => method === 'notifications/progress'),
    [{ params: { progressToken: 'p', progress: 1 } }],
  );
});

t.test('what is no message is kept as it came, and harms nothing', async (t) => {
  const place = await started(t);
  const { say, ask } = await startRelay(t, place);
  for (const line of ['not JSON', '[1]', 'null', '"text"', '{"id":7}', '{"method":5,"id":8}']) say(line);
  await ask(1, 'ping');
  const came = place.trace.entries.flatMap((entry) => (entry.kind === 'from-harness' ? [entry.message] : []));
  t.strictSame(came.slice(0, 6), ['not JSON', [1], null, 'text', { id: 7 }, { method: 5, id: 8 }]);
});

t.test('lines arrive whole however they are cut, and long', async (t) => {
  const { child, messages } = await startRelay(t, await started(t));
  const text = 'ü'.repeat(300_000);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: { text } } };
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (const cut of [101, 100_001, bytes.length]) {
    const from = cut === 101 ? 0 : cut === 100_001 ? 101 : 100_001;
    await new Promise((done) => child.stdin.write(bytes.subarray(from, cut), done));
  }
  const answer = await until('the call is answered', () => messages[0]);
  t.match(answer, { id: 1, result: { content: [{ text: `heard ${JSON.stringify({ text })}` }] } });
});

t.test('the end of its input ends a relay at once, or after its time', async (t) => {
  for (const lingerMs of [0, 50]) {
    const place = await started(t);
    const { child, ended } = await startRelay(t, place, lingerMs);
    child.stdin.end();
    await until('the relay ends', ended);
    await until('its end is known', () => place.server.living().length === 0);
    t.equal(child.exitCode, 0);
    t.match(place.signs(), [/^started, pid \d+, cwd /, 'stdin-end', 'ended by itself']);
  }
});

t.test('each signal is told by its name', async (t) => {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const place = await started(t);
    const { child, ended } = await startRelay(t, place);
    child.kill(name);
    await until('the relay ends', ended);
    await until('its end is known', () => place.server.living().length === 0);
    t.match(place.signs(), [/^started/, name, 'ended by itself']);
  }
});

t.test('a relay that outlives signs tells each of them, and that it was killed', async (t) => {
  const place = await started(t);
  const { child, ended } = await startRelay(t, place, 60_000);
  child.stdin.end();
  await until('the end of its input is told', () => place.signs().includes('stdin-end'));
  child.kill('SIGTERM');
  await until('the signal is told', () => place.signs().includes('SIGTERM'));
  child.kill('SIGKILL');
  await until('the relay ends', ended);
  await until('its end is known', () => place.server.living().length === 0);
  t.match(place.signs(), [/^started/, 'stdin-end', 'SIGTERM', 'killed']);
});

t.test('a relay whose harness dies tells that it is orphaned, and ends with the probe', async (t) => {
  const place = await started(t);
  const words = JSON.stringify([relay, place.socket, '60000']);
  const harness = spawn(process.execPath, [
    '-e',
    `require('child_process').spawn(process.execPath, ${words}, { stdio: ['pipe', 'ignore', 'ignore'] });
     setTimeout(() => undefined, 60_000);`,
  ]);
  t.teardown(() => harness.kill('SIGKILL'));
  const { pid } = await until('the probe knows the relay', () => place.server.connections[0]);
  harness.kill('SIGKILL');
  await until('both signs are told', () => place.signs().length === 3);
  t.strictSame(place.signs().slice(1).sort(), ['orphaned', 'stdin-end']);
  t.strictSame(place.server.living(), [pid]);
  await place.server.close();
  await until('the relay is gone', () => !isAlive(pid));
});

t.test('close ends every relay, and a relay without a probe ends by itself', async (t) => {
  const place = await started(t);
  const { ended } = await startRelay(t, place, 60_000);
  await place.server.close();
  await until('the relay ends', ended);
  const lonely = spawn(process.execPath, [relay, place.socket, '60000'], { stdio: 'ignore' });
  t.equal(await new Promise((done) => lonely.once('exit', done)), 1);
});

t.test('a socket that cannot be made is an error', async (t) => {
  const socket = join(tmpdir(), 'leo-no-such-folder', 'relay.sock');
  await t.rejects(startProbeServer(socket, plain, startTrace()), { code: /^E/ });
});

t.test('a path that a socket cannot have is refused before anything listens', async (t) => {
  const { folder, trace } = await started(t);
  const long = join(folder, 'x'.repeat(103 - folder.length));
  mkdirSync(long);
  await t.rejects(startProbeServer(join(long, 'relay.sock'), plain, trace), {
    message: `${long} is too long a path for a socket in it: set TMPDIR to a folder with a shorter one`,
  });
  t.strictSame(readdirSync(long), []);
});
