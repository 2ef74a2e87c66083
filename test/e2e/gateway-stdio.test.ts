// What the gateway reads and writes on stdin and stdout, whatever a harness does there (design 8). No daemon runs.

import t from 'tap';
import { temporaryHome } from '../support/daemon.js';
import { envelope, Gateway } from '../support/gateway.js';
import { until } from '../support/wait.js';

const start = (t: Parameters<typeof temporaryHome>[0]) => Gateway.start(t, { home: temporaryHome(t) });
const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
t.jobs = 2;

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  t.test(`speaks ${version}`, async (t) => {
    const gateway = start(t);
    t.match(await gateway.initialize('claude-code', version), {
      result: {
        protocolVersion: version,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'leo' },
      },
    });
    t.strictSame(await gateway.toolNames(), own);
    t.match(await gateway.request('ping'), { result: {} });
  });
}

t.test('speaks the stateless wire of 2026-07-28', async (t) => {
  const gateway = start(t);
  t.match(await gateway.request('server/discover', envelope()), {
    result: { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } },
  });
  gateway.send({
    id: 'sub',
    method: 'subscriptions/listen',
    params: { ...envelope(), notifications: { toolsListChanged: true } },
  });
  await until(
    'it acknowledges',
    () => gateway.notifications('notifications/subscriptions/acknowledged').length > 0,
  );
  t.match(await gateway.request('tools/list', envelope()), {
    result: { resultType: 'complete', tools: { length: own.length } },
  });
  const wait = { ...envelope(), name: 'leo_app_wait', arguments: { id: 'r_none' } };
  t.match(await gateway.request('tools/call', wait), {
    result: { isError: true, resultType: 'complete', content: [{ text: /^unknown_request: / }] },
  });
});

t.test('server/discover before initialize, with an envelope and without', async (t) => {
  for (const params of [envelope(), {}, undefined]) {
    const gateway = start(t);
    const answer = await gateway.request('server/discover', params);
    t.ok('_meta' in (params ?? {}) ? answer.result : answer.error, JSON.stringify(answer));
    t.match(await gateway.initialize(), { result: { protocolVersion: '2025-11-25' } });
    t.strictSame(await gateway.toolNames(), own);
  }
});

const openings: readonly [what: string, bytes: string | Buffer, ids: readonly unknown[]][] = [
  ['CRLF', `${ping(1)}\r\n${ping(2)}\r\n`, [1, 2]],
  ['blank lines', `\n\r\n  \n${ping(1)}\n\n${ping(2)}\n`, [1, 2]],
  ['a byte-order mark', `\ufeff${ping(1)}\n`, [1]],
  ['lines that are not JSON', `hello\n{"jsonrpc":\n[\n\u0000\n${ping(1)}\n`, [1]],
  ['invalid UTF-8', Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`${ping(1)}\n`)]), [1]],
  [
    'invalid UTF-8 in a text',
    Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\xff"}}\n`, 'latin1'),
    [1],
  ],
  ['a batch', `[${ping(1)},${ping(2)}]\n`, [1, 2]],
  ['ids 0, "1" and 1 at once', [0, '1', 1].map(ping).join('\n').concat('\n'), [0, '1', 1]],
  ['responses that nobody waits for', `{"jsonrpc":"2.0","id":9,"result":{}}\n${ping(1)}\n`, [1]],
];
for (const [what, bytes, ids] of openings) {
  t.test(`keeps serving through ${what}`, async (t) => {
    const gateway = start(t);
    gateway.write(bytes);
    await until(
      `everything is answered; stderr: ${gateway.stderr}`,
      () => gateway.messages.length >= ids.length,
    );
    t.match(await gateway.initialize(), { result: {} });
    t.strictSame(
      gateway.messages.slice(0, ids.length),
      ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })),
    );
  });
}

t.test('a request that makes no sense is answered under its id', async (t) => {
  const gateway = start(t);
  t.match(await gateway.request('no/such/method'), { error: { code: -32601 } });
  t.match(await gateway.request('resources/list'), { error: { code: -32601 } });
  t.match(await gateway.request('tools/call', {}), { error: { code: -32602 } });
  gateway.write('{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":[]}\n');
  t.match(await gateway.response('odd'), { error: { code: -32600 } });
});

t.test('a message of 64 MB is refused and forgotten', async (t) => {
  const gateway = start(t);
  await gateway.initialize();
  const { child } = gateway;
  child.stdin.write(
    '{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"x","arguments":{"a":"',
  );
  const block = Buffer.alloc(1024 * 1024, 'x');
  for (let n = 0; n < 64; n++) {
    if (!child.stdin.write(block)) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  gateway.write('"}}}\n');
  t.match(await gateway.response('big'), { error: { code: -32600, message: /too large/ } });
  t.match(await gateway.request('ping'), { result: {} });
});

t.test('clientInfo may be anything', async (t) => {
  for (const name of ['', 'x'.repeat(10_240), '\u001b[2J\u0000\n', 'Claude-Code', '🚀']) {
    const gateway = start(t);
    t.match(await gateway.initialize(name), { result: { serverInfo: { name: 'leo' } } });
    t.strictSame(await gateway.toolNames(), own);
  }
});

t.test('a cancel for an unknown id, twice, or without an id, does nothing, now or later', async (t) => {
  const gateway = start(t);
  await gateway.initialize();
  for (const params of [
    { requestId: 'later' },
    { requestId: 'later' },
    {},
    undefined,
    { requestId: null },
    { requestId: 1.5 },
  ]) {
    gateway.send({ method: 'notifications/cancelled', ...(params === undefined ? {} : { params }) });
  }
  t.match(await gateway.request('ping', undefined, 'later'), { result: {} });
  gateway.send({ method: 'notifications/cancelled', params: { requestId: 'later' } });
  t.match(await gateway.request('tools/list', undefined, 'again'), { result: {} });
});

t.test('lists the same bytes every time', async (t) => {
  const gateway = start(t);
  await gateway.initialize();
  const lists = await Promise.all([7, 8, 9].map((id) => gateway.request('tools/list', {}, id)));
  t.equal(new Set(lists.map(({ result }) => JSON.stringify(result))).size, 1);
  t.strictSame(gateway.notifications('notifications/tools/list_changed'), []);
});

t.test('misuse ends with 2 and says the mend; --help does not', async (t) => {
  const misused = Gateway.start(t, { home: temporaryHome(t), args: ['--url', 'http://127.0.0.1:1'] });
  t.equal(await misused.exit(), 2);
  t.match(misused.stderr, /--token-file FILE/);
  const missing = Gateway.start(t, {
    home: temporaryHome(t),
    args: ['--url', 'http://127.0.0.1:1', '--token-file', '/none'],
  });
  t.equal(await missing.exit(), 2);
  t.match(missing.stderr, /\/none/);
  const help = Gateway.start(t, { home: temporaryHome(t), args: ['--help'] });
  t.equal(await help.exit(), 0);
  t.match(help.stderr, /usage: leo mcp-server/);
  t.strictSame([...misused.lines, ...help.lines], []);
});
