// An app's tool through `leo mcp-server` and a real daemon, as a harness sees it (design 8).

import t from 'tap';
import type { ToolCall } from '../../lib/app/index.js';
import { isObject } from '../../lib/wire/json.js';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { envelope, Gateway, textOf } from '../support/gateway.js';
import { until } from '../support/wait.js';

const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const listChanged = 'notifications/tools/list_changed';
t.jobs = 2;

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    where: { type: 'object' },
    pair: { type: 'array', uniqueItems: true },
  },
  required: ['text'],
} as const;
const echo = {
  name: 'echo',
  description: 'Echoes.',
  inputSchema: schema,
  handler: (call: ToolCall) => JSON.stringify(call.arguments),
};

/** A tool that waits until its test lets it go, and tells what became of its calls. */
function gate() {
  const calls: { call: ToolCall; answer: (text: string) => void }[] = [];
  const handler = (call: ToolCall) => new Promise<string>((answer) => calls.push({ call, answer }));
  return { calls, tool: { name: 'gate', handler } };
}

t.test('lists, calls, and tells of changes', async (t) => {
  const daemon = await startDaemon(t);
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--agent', 'rocket'] });
  await gateway.initialize();
  t.strictSame(await gateway.toolNames(), own);
  const app = await startApp(t, daemon.socket, 'demo', [echo]);
  await until('the harness is told', () => gateway.notifications(listChanged).length === 1);
  t.strictSame(await gateway.toolNames(), ['echo', ...own]);
  t.match(await gateway.call('echo', { text: 'hi' }), { content: [{ type: 'text', text: '{"text":"hi"}' }] });
  t.match(textOf(await gateway.call('leo_list_agents')), /"rocket"[\s\S]*"claude-code"/);
  await app.close();
  await until('the harness is told', () => gateway.notifications(listChanged).length === 2);
  t.strictSame(await gateway.toolNames(), own);
  t.match(textOf(await gateway.call('echo', { text: 'hi' })), /^no_client: /);
});

t.test('checks arguments, and decodes what came as a text', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'demo', [echo]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  const deep: unknown = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`);
  const rows: readonly [args: object | undefined, text: string][] = [
    [{ text: 'x', where: '{"a":[1]}' }, '{"text":"x","where":{"a":[1]}}'],
    [{ text: '{"a":1}' }, '{"text":"{\\"a\\":1}"}'],
    [{}, 'invalid_arguments: at $.text: is required'],
    [undefined, 'invalid_arguments: at $.text: is required'],
    [{ text: 7 }, 'invalid_arguments: at $.text: must be string'],
    [[], 'invalid_arguments: at $: must be object'],
    [{ text: 'x', pair: [deep, deep] }, 'invalid_arguments: at $: nests deeper than 128 levels'],
  ];
  for (const [args, text] of rows) t.equal(textOf(await gateway.call('echo', args)), text);
});

t.test('an app that fails tells the agent why, as a tool error', async (t) => {
  const daemon = await startDaemon(t);
  const handler = () => {
    throw new Error('the lens cap is on');
  };
  await startApp(t, daemon.socket, 'demo', [{ name: 'snap', handler }]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  await gateway.reached();
  t.match(await gateway.call('snap'), { isError: true, content: [{ text: /^\w+: .*lens cap/ }] });
});

t.test('a harness that does not re-list reaches the tools through the pair', async (t) => {
  const daemon = await startDaemon(t);
  const before = Gateway.start(t, { home: daemon.home });
  await before.initialize('codex-mcp-client');
  t.strictSame(await before.toolNames(), own, 'no app was ever there');
  await startApp(t, daemon.socket, 'demo', [echo]);
  const gateway = Gateway.start(t, { home: daemon.home });
  t.match(await gateway.initialize('codex-mcp-client'), { result: { instructions: /leo_app_call/ } });
  await gateway.reached();
  t.strictSame(await gateway.toolNames(), ['leo_app_call', 'leo_app_tools', ...own]);
  t.match(JSON.parse(textOf(await gateway.call('leo_app_tools'))), {
    tools: [{ name: 'echo', input_schema: schema }],
  });
  t.equal(textOf(await gateway.call('leo_app_call', { tool: 'echo', args: { text: 'a' } })), '{"text":"a"}');
  t.equal(textOf(await gateway.call('leo_app_call', { tool: 'echo', args: '{"text":"a"}' })), '{"text":"a"}');
  t.match(textOf(await gateway.call('leo_app_call', { tool: 'echo' })), /^invalid_arguments: at \$\.text/);
  t.match(textOf(await gateway.call('leo_app_call', {})), /^invalid_arguments: at \$\.tool/);
  t.match(textOf(await gateway.call('leo_app_call', { tool: 'none' })), /^no_client: .*echo/);
  t.strictSame(await before.toolNames(), own, 'sampled once');
  t.strictSame(before.notifications(listChanged), []);
});

t.test('an unknown harness that listens is shown the tools themselves', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'demo', [echo]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.request('server/discover', envelope('new-harness'));
  const params = { ...envelope('new-harness'), notifications: { toolsListChanged: true } };
  gateway.send({ id: 'sub', method: 'subscriptions/listen', params });
  await until('the tool itself is listed', async () => {
    const { result } = await gateway.request('tools/list', envelope('new-harness'));
    return JSON.stringify(result).includes('"echo"');
  });
  const before = gateway.notifications(listChanged).length;
  await startApp(t, daemon.socket, 'more', [{ ...echo, name: 'more' }]);
  const [told] = await until('it is told', () => {
    const more = gateway.notifications(listChanged).slice(before);
    return more.length > 0 && more;
  });
  t.match(told, { params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } } });
  const call = { ...envelope('new-harness'), name: 'more', arguments: { text: 'x' } };
  t.match(await gateway.request('tools/call', call), {
    result: { resultType: 'complete', content: [{ text: '{"text":"x"}' }] },
  });
});

t.test('what is denied is neither listed nor callable', async (t) => {
  const config = 'deny_tools: [leo_list_agents]\nagents:\n  rocket: { deny_tools: ["ec*"] }\n';
  const daemon = await startDaemon(t, { config });
  await startApp(t, daemon.socket, 'demo', [echo, { ...echo, name: 'other' }]);
  const gateway = Gateway.start(t, { home: daemon.home, env: { LEO_AGENT: 'rocket' } });
  await gateway.initialize();
  await gateway.reached();
  t.strictSame(await gateway.toolNames(), ['leo_app_wait', 'leo_send_message', 'other']);
  for (const [name, args] of [
    ['echo', { text: 'x' }],
    ['Echo', { text: 'x' }],
    ['leo_list_agents', {}],
    ['leo_app_call', { tool: 'echo', args: { text: 'x' } }],
  ] as const) {
    t.match(textOf(await gateway.call(name, args)), /^denied: /, name);
  }
  t.notMatch(textOf(await gateway.call('leo_app_tools')), /"echo"/);
});

t.test('a cancelled call is cancelled at the app, and nothing more is said of it', async (t) => {
  const daemon = await startDaemon(t);
  const { calls, tool } = gate();
  await startApp(t, daemon.socket, 'demo', [tool]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  for (const id of [0, '1', 1]) {
    gateway.send({
      id,
      method: 'tools/call',
      params: { name: 'gate', _meta: { progressToken: String(id) } },
    });
  }
  const three = await until('all are called', () => calls.length === 3 && calls);
  t.match(await gateway.request('ping'), { result: {} }, 'a ping does not wait for a call');
  gateway.send({ method: 'notifications/cancelled', params: { requestId: '1' } });
  const cancelled = await until('the app is told', () => three.find(({ call }) => call.signal.aborted));
  cancelled.answer('late');
  for (const { answer } of three) answer('done');
  t.match(await gateway.response(0), { result: { content: [{ text: 'done' }] } });
  t.match(await gateway.response(1), { result: { content: [{ text: 'done' }] } });
  // Stray cancels after the answer, as opencode and kilo send them.
  for (const id of [0, 1, '1'])
    gateway.send({ method: 'notifications/cancelled', params: { requestId: id } });
  await gateway.request('ping');
  t.equal(gateway.messages.filter(({ id }) => id === '1').length, 0);
});

t.test('progress goes to the token that was given, 0 too, and to no other', async (t) => {
  const daemon = await startDaemon(t);
  const { calls, tool } = gate();
  await startApp(t, daemon.socket, 'demo', [tool]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  gateway.send({ id: 1, method: 'tools/call', params: { name: 'gate', _meta: { progressToken: 0 } } });
  await until('it is called', () => calls.length === 1);
  gateway.send({ id: 2, method: 'tools/call', params: { name: 'gate' } });
  await until('it is called again', () => calls.length === 2);
  for (const { call } of calls) call.progress(1, 2, 'half');
  await until('progress comes', () => gateway.notifications('notifications/progress').length > 0);
  for (const { answer } of calls) answer('done');
  await gateway.response(2);
  t.match(gateway.notifications('notifications/progress'), [
    { params: { progressToken: 0, progress: 1, total: 2, message: 'half' } },
  ]);
});

t.test('what outlasts the call timeout is fetched with leo_app_wait', async (t) => {
  const daemon = await startDaemon(t);
  const { calls, tool } = gate();
  await startApp(t, daemon.socket, 'demo', [tool]);
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--call-timeout', '0.2'] });
  await gateway.initialize();
  await gateway.reached();
  const said = textOf(await gateway.call('gate'));
  const id = /^still waiting: (r_\S+);/.exec(said)?.[1];
  t.match(textOf(await gateway.call('leo_app_wait', { id })), /^still waiting: r_/);
  await until('the app is called', () => calls.length === 1);
  calls[0]?.answer('first');
  t.equal(
    textOf(
      await until('it is there', async () => {
        const result = await gateway.call('leo_app_wait', { id });
        return !textOf(result).startsWith('still') && result;
      }),
    ),
    'first',
  );
  t.match(await gateway.call('leo_app_wait', { id }), {
    isError: true,
    content: [{ text: /^unknown_request: / }],
  });
  // One whose answer came while nobody waited.
  const next = /^still waiting: (r_\S+);/.exec(textOf(await gateway.call('gate')))?.[1];
  await until('the app is called again', () => calls.length === 2);
  calls[1]?.answer('second');
  await until(
    'the daemon knows',
    async () => !textOf(await gateway.call('leo_list_agents')).includes('no such'),
  );
  t.equal(
    textOf(
      await until('it is kept', async () => {
        const result = await gateway.call('leo_app_wait', { id: next });
        return !textOf(result).startsWith('still') && result;
      }),
    ),
    'second',
  );
});

t.test('a wait is not its call: cancelling it cancels nothing', async (t) => {
  const daemon = await startDaemon(t);
  const { calls, tool } = gate();
  await startApp(t, daemon.socket, 'demo', [tool]);
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--call-timeout', '0.2'] });
  await gateway.initialize();
  await gateway.reached();
  const id = /^still waiting: (r_\S+);/.exec(textOf(await gateway.call('gate')))?.[1];
  gateway.send({ id: 'wait', method: 'tools/call', params: { name: 'leo_app_wait', arguments: { id } } });
  gateway.send({ method: 'notifications/cancelled', params: { requestId: 'wait' } });
  await gateway.request('ping');
  await until('the app is called', () => calls.length === 1);
  t.equal(calls[0]?.call.signal.aborted, false);
  calls[0]?.answer('done');
  const answer = await until('it is there', async () => {
    const said = textOf(await gateway.call('leo_app_wait', { id }));
    return !said.startsWith('still') && said;
  });
  t.equal(answer, 'done');
});

t.test('a cancel after every answer, as opencode and kilo send it, cancels nothing', async (t) => {
  const daemon = await startDaemon(t);
  const { calls, tool } = gate();
  await startApp(t, daemon.socket, 'demo', [tool]);
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--call-timeout', '0.4'] });
  await gateway.initialize('opencode');
  await gateway.reached();
  const called = async (name: string, args: object, id: number) => {
    const text = textOf(await gateway.call(name, args, id));
    const reasons = [
      'McpError: MCP error -32001: Request timed out',
      'AbortError: The operation was aborted.',
    ];
    for (const reason of reasons)
      gateway.send({ method: 'notifications/cancelled', params: { requestId: id, reason } });
    return text;
  };
  const id = /^still waiting: (r_\S+);/.exec(await called('gate', {}, 2))?.[1];
  t.match(await called('leo_app_wait', { id }, 3), /^still waiting: /);
  await until('the app is called', () => calls.length === 1);
  t.equal(calls[0]?.call.signal.aborted, false, 'the call that was answered "still waiting" goes on');
  calls[0]?.answer('done');
  let next = 4;
  await until(
    'the result is there',
    async () => (await called('leo_app_wait', { id }, next++)) === 'done' || undefined,
  );
  t.equal(daemon.log().includes('error'), false, daemon.log());
});

t.test('whatever a harness calls itself, one that was not measured reaches the tools', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'demo', [echo]);
  const rows: readonly [what: string, clientInfo: object | undefined, told: string | null][] = [
    ['no clientInfo', undefined, null],
    ['a clientInfo without a name', { version: '1' }, null],
    ['a clientInfo without a version', { name: 'mine' }, 'mine'],
    ['a name that is empty', { name: '', version: '1' }, null],
    ['a name of 10 KB', { name: 'x'.repeat(10_240), version: '1' }, 'x'.repeat(200)],
    ['control characters', { name: '\u001b[2Jmine\u0000\n', version: '1' }, '[2Jmine'],
    ['a known name behind a space', { name: ' claude-code', version: '1' }, 'claude-code'],
    ['a known name with a control character', { name: 'claude-code\u0000', version: '1' }, 'claude-code'],
    ['another spelling', { name: 'Claude-Code', version: '1' }, 'Claude-Code'],
    ['a name of nobody', { name: 'my-leo', version: '1' }, 'my-leo'],
    [
      'a proxy of a known harness',
      { name: 'codex-mcp-client (via mcp-remote 0.1.3)', version: '1' },
      'codex-mcp-client (via mcp-remote 0.1.3)',
    ],
  ];
  for (const [what, clientInfo, told] of rows) {
    const gateway = Gateway.start(t, { home: daemon.home, args: ['--agent', what] });
    const protocolVersion = '2025-06-18';
    const answer = await gateway.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    t.match(answer, { result: { protocolVersion, instructions: /leo_app_call/ } }, what);
    t.strictSame(await gateway.toolNames(), ['leo_app_call', 'leo_app_tools', ...own], what);
    t.equal(
      textOf(await gateway.call('leo_app_call', { tool: 'echo', args: { text: 'a' } })),
      '{"text":"a"}',
      what,
    );
    const { agents } = JSON.parse(textOf(await gateway.call('leo_list_agents')));
    t.match(
      agents.find((agent: { name: string }) => agent.name === what),
      { harness: told === null ? null : { name: told }, mode: 'fallback' },
      what,
    );
    gateway.child.stdin.end();
  }
});

t.test('an image of 5 MB passes through byte for byte', async (t) => {
  const daemon = await startDaemon(t);
  const text = 'é€𝄞"\\'.repeat(400_000);
  await startApp(t, daemon.socket, 'demo', [{ name: 'big', handler: () => text }]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  const { result } = await gateway.request('tools/call', { name: 'big' });
  t.ok(isObject(result) && textOf(result) === text);
});
