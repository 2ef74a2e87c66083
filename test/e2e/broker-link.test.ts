// The broker's side of the gateway link (lib/wire/link.ts), with a gateway that does whatever a test wants: two
// links at once, none, the wrong words, too much of them.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { maxLinkMessageBytes } from '../../lib/wire/link.js';
import { spoken } from '../../lib/wire/link-protocol.js';
import { startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http } from '../support/http.js';
import { LinkAgent, type LinkAgentOptions } from '../support/link-agent.js';
import { openCalls, RawApp, text, tool } from '../support/raw-app.js';
import { until } from '../support/wait.js';

t.jobs = 4;

const daemon = await startDaemon(t);
const at = daemon.socket;
const overTcp = {
  socket: `${daemon.http.replace('http:', 'ws:')}/api/v1/gateway`,
  headers: {
    authorization: `Bearer ${readFileSync(placesOf(daemon.env).agentToken, 'utf8').trim()}`,
  },
};
const start = (t: Test, agent: string, options: Partial<LinkAgentOptions> = {}) =>
  LinkAgent.start(t, { socket: at, agent, ...options });

interface Agent {
  readonly name: string;
  readonly sessions: number;
}
async function running(name: string): Promise<Agent | undefined> {
  const { agents } = (await http(at, '/api/v1/agents')).body.data as { agents: readonly Agent[] };
  return agents.find((agent) => agent.name === name);
}
async function isOpen(id: string): Promise<boolean> {
  return (await openCalls(at)).some((call) => call.id === id);
}
const hello = (agent: LinkAgent, name: string) => ({
  protocol: spoken.newest,
  version: '0.0.0-test',
  session: agent.session,
  agent: name,
  harness: null,
  mode: 'native',
});

t.test('a newer link of a session takes its place, and its calls stay', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('newer'));
  const older = await start(t, 'newer');
  older.park('r_newer_001', 'newer');
  await app.stream.next('client_tool.request', 'r_newer_001');
  const closed = once(older.webSocket, 'close');
  const newer = await start(t, 'newer', { session: older.session });
  t.equal((await closed)[0], 4001, 'the older link is told why it ends');
  t.match(await running('newer'), { sessions: 1 });
  await app.claim('r_newer_001');
  await app.result('r_newer_001', text('done'));
  t.match(await newer.response('r_newer_001'), { result: { content: text('done') } });
  t.notOk(
    app.stream.events.some(
      ({ event, data }) => event === 'client_tool.cancelled' && data.id === 'r_newer_001',
    ),
    'it has not ended by this',
  );
  t.equal(
    app.stream.events.filter(({ event, data }) => event === 'agent.started' && data.name === 'newer').length,
    1,
    'it has started once',
  );
});

t.test('what a link that was replaced still says does not count', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('ghost'));
  const older = await start(t, 'ghost');
  older.park('r_ghost_001', 'ghost');
  await app.stream.next('client_tool.request', 'r_ghost_001');
  // The older link does not read, and so does not close before it has said what is below.
  older.webSocket.pause();
  const newer = await start(t, 'ghost', { session: older.session });
  older.notify('call/cancel', { id: 'r_ghost_001' });
  older.notify('bye');
  older.park('r_ghost_002', 'ghost');
  older.webSocket.resume();
  await once(older.webSocket, 'close');
  newer.park('r_ghost_003', 'ghost');
  await app.stream.next('client_tool.request', 'r_ghost_003');
  t.ok(await isOpen('r_ghost_001'));
  t.notOk(await isOpen('r_ghost_002'));
  t.match(await running('ghost'), { sessions: 1 });
});

for (const how of ['says bye', 'closes its socket', 'is cut off'] as const) {
  t.test(`a session that ${how} ends its calls at once, and its agent stops`, async (t) => {
    const name = `leaver-${how.replaceAll(' ', '-')}`;
    const id = `r_${name}`;
    const app = await RawApp.offering(t, { at }, tool(`leave_${how.replaceAll(' ', '_')}`));
    const agent = await start(t, name);
    agent.park(id, `leave_${how.replaceAll(' ', '_')}`);
    await app.stream.next('client_tool.request', id);
    await app.claim(id);
    if (how === 'says bye') agent.notify('bye');
    else if (how === 'closes its socket') agent.webSocket.close();
    else agent.webSocket.terminate();
    t.match((await app.stream.next('client_tool.cancelled', id)).data, { agent: name, reason: 'cancelled' });
    await app.stream.find(
      'the end of the agent',
      ({ event, data }) => event === 'agent.stopped' && data.name === name,
    );
    t.match((await app.result(id, text('late'))).body, { code: 'unknown_request' });
    t.equal(await running(name), undefined);
  });
}

t.test('a session whose TCP link breaks may come back', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('roaming'));
  const agent = await start(t, 'roamer', overTcp);
  agent.park('r_roaming_1', 'roaming');
  await app.stream.next('client_tool.request', 'r_roaming_1');
  await app.claim('r_roaming_1');
  agent.webSocket.terminate();
  await app.result('r_roaming_1', text('while you were away'));
  const back = await start(t, 'roamer', { ...overTcp, session: agent.session });
  back.park(
    'r_roaming_1',
    'roaming',
    {},
    {
      provider: app.clientId,
      keyed: false,
      group: 'group',
      claimed_by: app.clientId,
      remaining_ms: 60_000,
    },
  );
  t.match(await back.response('r_roaming_1'), { result: { content: text('while you were away') } });
  t.notOk(
    app.stream.events.some(({ event, data }) => event === 'agent.stopped' && data.name === 'roamer'),
    'it was never gone',
  );
  back.notify('bye');
  await app.stream.find(
    'the end of the agent',
    ({ event, data }) => event === 'agent.stopped' && data.name === 'roamer',
  );
});

t.test('a call parked twice is one call, and its id is nobody else to use', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('twice'));
  const agent = await start(t, 'twice');
  const other = await start(t, 'thief');
  agent.park('r_twice_101', 'twice', { n: 1 });
  agent.park('r_twice_101', 'twice', { n: 2 });
  await app.stream.next('client_tool.request', 'r_twice_101');
  const stolen = await other.request('call', { tool: 'twice', arguments: { n: 3 } }, 'r_twice_101');
  t.match(stolen, { error: { code: -32602, message: /another session's/ } });
  other.notify('call/cancel', { id: 'r_twice_101' });
  other.notify('call/received', { id: 'r_twice_101' });
  await other.request('agents/list', {});
  t.ok(await isOpen('r_twice_101'), "another session's cancel does nothing");
  await app.claim('r_twice_101');
  await app.result('r_twice_101', text('once'));
  t.match(await agent.response('r_twice_101'), { result: { content: text('once') } });
  agent.park('r_marker_02', 'twice');
  await app.stream.next('client_tool.request', 'r_marker_02');
  t.equal(
    app.stream.events.filter(
      ({ event, data }) => event === 'client_tool.request' && data.id === 'r_twice_101',
    ).length,
    1,
  );
});

t.test('a cancel for an id that is not open does nothing, then or later', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('calm'));
  const agent = await start(t, 'calm');
  for (const params of [{ id: 'r_calm_0001' }, { id: 'nonsense' }, { id: 7 }, {}, { id: null }])
    agent.notify('call/cancel', params);
  agent.park('r_calm_0001', 'calm');
  await app.stream.next('client_tool.request', 'r_calm_0001');
  t.ok(await isOpen('r_calm_0001'));
});

t.test('what breaks the rules is answered or ignored, and the link and the daemon go on', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('sturdy'));
  const agent = await start(t, 'sturdy');
  const deep = (open: string, close: string) => `${open.repeat(50_000)}1${close.repeat(50_000)}`;
  for (const garbage of [
    '',
    'hello',
    '{',
    'null',
    '[]',
    '7',
    '"text"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"method":7}',
    '{"id":{},"method":"call"}',
    '{"id":null,"method":"call"}',
    '{"method":"call/cancel"}',
    '{"method":"call/received","params":[]}',
    '{"method":"session/changed"}',
    '{"method":"no/such/notification","params":{}}',
    '{"id":"r_12345678","result":{}}',
    `{"method":"call/cancel","params":${deep('[', ']')}}`,
    deep('[', ']'),
    `{"id":1e999,"method":"no"}`,
    '\ud800',
  ])
    agent.webSocket.send(garbage);
  agent.webSocket.send(Buffer.from('{"id":1,"method":"agents/list"}'), { binary: true });
  agent.webSocket.ping('are you there');

  for (const [what, params] of [
    ['no tool', { arguments: {} }],
    ['no arguments', { tool: 'sturdy' }],
    ['arguments that are a list', { tool: 'sturdy', arguments: [] }],
    ['a name that is none', { tool: '__proto__', arguments: {} }],
    ['half a resume', { tool: 'sturdy', arguments: {}, resume: {} }],
    ['params that are a list', []],
  ] as const)
    t.match(
      await agent.request('call', params, `r_broken_${what}`.replaceAll(' ', '_')),
      { error: { code: -32602 } },
      what,
    );
  for (const id of ['short', 'r_', 'r_has spaces in it', `r_${'x'.repeat(65)}`, 12])
    t.match(
      await agent.request('call', { tool: 'sturdy', arguments: {} }, id),
      { error: { code: -32602 } },
      `id ${id}`,
    );
  t.match(await agent.request('no/such/method', {}), { error: { code: -32601 } });

  agent.webSocket.send(
    `{"jsonrpc":"2.0","id":"r_deep_0001","method":"call","params":{"tool":"sturdy","arguments":${deep('{"a":', '}')}}}`,
  );
  t.match(await agent.response('r_deep_0001'), { error: { data: { code: 'invalid_arguments' } } });

  agent.park('r_sturdy_01', 'sturdy');
  await app.stream.next('client_tool.request', 'r_sturdy_01');
  t.match(await running('sturdy'), { sessions: 1 });
});

t.test('a time limit that is none is no harm', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('timeless'));
  const agent = await start(t, 'timeless');
  let n = 0;
  for (const remaining of ['1e308', '8.7e15', '2147483648', '1e-9', '-1e308']) {
    const id = `r_timeless_${n++}`;
    agent.webSocket.send(
      `{"jsonrpc":"2.0","id":"${id}","method":"call","params":{"tool":"timeless","arguments":{},"resume":{"provider":"${app.clientId}","keyed":true,"group":"group","claimed_by":null,"remaining_ms":${remaining}}}}`,
    );
    const { data } = await app.stream.next('client_tool.request', id);
    const ms = Date.parse(String(data.deadline)) - Date.now();
    t.ok(ms <= 86_400_000, `${remaining} is at most a day: ${data.deadline}`);
  }
});

t.test('a hello that cannot be served ends its link in words, never the daemon', async (t) => {
  const rows: readonly (readonly [what: string, params: (agent: LinkAgent) => string, words: RegExp])[] = [
    [
      'an older protocol',
      (agent) => JSON.stringify({ ...hello(agent, 'old'), protocol: 0 }),
      /version 0 .*version 1/,
    ],
    [
      'a newer one',
      (agent) => JSON.stringify({ ...hello(agent, 'new'), protocol: 2 }),
      /version 2 .*version 1/,
    ],
    ['none', () => '{}', /version/],
    ['no params', () => 'null', /version/],
    [
      'a protocol that is text',
      (agent) => JSON.stringify({ ...hello(agent, 'x'), protocol: '1' }),
      /version/,
    ],
    [
      'a protocol that cannot be shown',
      (agent) => JSON.stringify({ ...hello(agent, 'x'), protocol: { toString: 1, valueOf: 1 } }),
      /version/,
    ],
    ['a protocol that nests', () => `{"protocol":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /version/],
    ['no agent', (agent) => JSON.stringify({ ...hello(agent, 'x'), agent: '' }), /\/agent/],
    ['an agent with a slash', (agent) => JSON.stringify({ ...hello(agent, 'x'), agent: '../x' }), /\/agent/],
    ['an agent of two lines', (agent) => JSON.stringify({ ...hello(agent, 'x'), agent: 'a\nb' }), /\/agent/],
    [
      'a session that is none',
      (agent) => JSON.stringify({ ...hello(agent, 'x'), session: 'mine' }),
      /\/session/,
    ],
    ['a mode that is none', (agent) => JSON.stringify({ ...hello(agent, 'x'), mode: 'psychic' }), /\/mode/],
  ];
  for (const [what, params, words] of rows) {
    const agent = await LinkAgent.open(t, { socket: at });
    const closed = once(agent.webSocket, 'close');
    agent.webSocket.send(`{"jsonrpc":"2.0","id":1,"method":"hello","params":${params(agent)}}`);
    t.match(await agent.response(1), { error: { message: words } }, what);
    t.equal((await closed)[0], 4000, what);
  }
});

t.test('before hello nothing is done', async (t) => {
  const agent = await LinkAgent.open(t, { socket: at });
  agent.park('r_early_001', 'whatever');
  t.match(await agent.response('r_early_001'), {
    error: { code: -32602, message: /first message must be hello/ },
  });
  t.match(await agent.request('agents/list', {}), { error: { code: -32602 } });
  agent.notify('bye');
  agent.notify('call/cancel', { id: 'r_early_001' });
  t.match(
    await agent.request('hello', hello(agent, 'late')),
    { result: { protocol: spoken.newest } },
    'it may still be said',
  );
});

t.test('a second hello on a link is refused, and leaves no session behind', async (t) => {
  const agent = await start(t, 'double');
  const again = await agent.request('hello', hello(agent, 'double'));
  t.match(again, { error: { code: -32602, message: /hello/ } });
  const other = { ...hello(agent, 'double-two'), session: 's_another_one' };
  t.match(await agent.request('hello', other), { error: { code: -32602 } });
  t.match(await running('double'), { sessions: 1 });
  t.equal(await running('double-two'), undefined);
  await agent.bye();
  await until('the agent is gone', async () => (await running('double')) === undefined);
});

t.test("a session is one agent's", async (t) => {
  const agent = await start(t, 'first-name');
  const other = await LinkAgent.open(t, { socket: at, session: agent.session });
  const closed = once(other.webSocket, 'close');
  t.match(await other.request('hello', hello(agent, 'second-name')), { error: { message: /first-name/ } });
  t.equal((await closed)[0], 4000);
  t.match(await agent.request('agents/list', {}), { result: {} }, 'and its own link is untouched');
  t.equal(await running('second-name'), undefined);
});

t.test('a message past 48 MB ends its link, and no other', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('witness'));
  const agent = await start(t, 'glutton');
  const closed = once(agent.webSocket, 'close');
  agent.webSocket.send('x'.repeat(maxLinkMessageBytes + 1));
  t.equal((await closed)[0], 1009);
  const other = await start(t, 'witness');
  other.park('r_witness_1', 'witness');
  await app.stream.next('client_tool.request', 'r_witness_1');
});

t.test('an agent of several sessions starts once and stops once', async (t) => {
  const watcher = await EventStream.open(t, { at });
  await watcher.next('hello');
  const one = await start(t, 'several');
  const two = await start(t, 'several');
  const three = await start(t, 'several');
  t.match(await running('several'), {
    name: 'several',
    kind: 'attached',
    sessions: 3,
    harness: { name: 'test-harness', version: '1.0.0' },
  });
  const { result } = await one.request('agents/list', {});
  t.match(
    (result as { agents: readonly Agent[] }).agents.find(({ name }) => name === 'several'),
    { sessions: 3 },
    'over the link as over HTTP',
  );
  await two.bye();
  await one.bye();
  t.match(await running('several'), { sessions: 1 });
  await three.bye();
  await watcher.find('its end', ({ event, data }) => event === 'agent.stopped' && data.name === 'several');
  const told = watcher.events.filter(({ data }) => data.name === 'several').map(({ event }) => event);
  t.strictSame(told, ['agent.started', 'agent.stopped']);
});

t.test('how far a call has come is shown to its agent alone', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('far'));
  const agent = await start(t, 'watching');
  const other = await start(t, 'not-watching');
  agent.park('r_far_00001', 'far');
  await app.stream.next('client_tool.request', 'r_far_00001');
  t.match((await app.progress('r_far_00001', 1)).body, { code: 'not_claimant' });
  await app.claim('r_far_00001');
  t.equal((await app.progress('r_far_00001', 0.5)).status, 200);
  t.strictSame((await agent.notification('call/progress')).params, { id: 'r_far_00001', progress: 0.5 });
  await other.request('agents/list', {});
  t.notOk(other.messages.some(({ method }) => method === 'call/progress'));
});

t.test('a result of 8 MiB arrives whole', async (t) => {
  const app = await RawApp.offering(t, { at }, tool('heavy'));
  const agent = await start(t, 'heavy');
  agent.park('r_heavy_001', 'heavy');
  await app.stream.next('client_tool.request', 'r_heavy_001');
  await app.claim('r_heavy_001');
  const heavy = text('"'.repeat(4 * 1024 * 1024));
  t.equal((await app.result('r_heavy_001', heavy)).status, 200);
  t.strictSame((await agent.response('r_heavy_001')).result, { content: heavy });
});

t.test('a session says later what its harness is', async (t) => {
  const agent = await start(t, 'unknown-yet');
  agent.notify('session/changed', { harness: { name: 'claude-code', version: '2' }, mode: 'fallback' });
  agent.notify('session/changed', { harness: 'nonsense', mode: 'native' });
  await agent.request('agents/list', {});
  t.match(await running('unknown-yet'), { harness: { name: 'claude-code' }, mode: 'fallback' });
});

t.test('denied tools are refused, and who is denied them is told of a change', async (t) => {
  const own = await startDaemon(t);
  const { config } = placesOf(own.env);
  const app = await RawApp.offering(
    t,
    { at: own.socket },
    tool('take_photo'),
    tool('look_around'),
    tool('speak'),
  );
  const options = { socket: own.socket };
  const rocket = await LinkAgent.start(t, { ...options, agent: 'rocket' });
  const shouting = await LinkAgent.start(t, { ...options, agent: 'Rocket' });
  const turtle = await LinkAgent.start(t, { ...options, agent: 'turtle' });
  rocket.park('r_before_01', 'take_photo');
  await app.stream.next('client_tool.request', 'r_before_01');
  writeFileSync(config, 'deny_tools: [speak]\nagents:\n  rocket: { deny_tools: [take-photo, "look*"] }\n');
  own.child.kill('SIGHUP');
  t.match((await rocket.notification('denied/changed')).params, { denied: ['speak', 'take-photo', 'look*'] });
  t.match((await turtle.notification('denied/changed')).params, { denied: ['speak'] });
  for (const [agent, name, code] of [
    [rocket, 'take_photo', 'denied'],
    [rocket, 'look_around', 'denied'],
    [rocket, 'speak', 'denied'],
    [shouting, 'take_photo', 'denied'],
    [turtle, 'speak', 'denied'],
    [turtle, 'no_such_tool', 'no_client'],
  ] as const) {
    const id = `r_denied_${agent.session.slice(2, 6)}_${name}`;
    agent.park(id, name);
    t.match(await agent.response(id), { error: { data: { code } } }, `${id} is ${code}`);
  }
  turtle.park('r_allowed_1', 'take_photo');
  await app.stream.next('client_tool.request', 'r_allowed_1');
  t.notMatch(app.stream.text, /r_denied/, 'no app is asked for what is denied');
  await app.claim('r_before_01');
  t.equal((await app.result('r_before_01', text('done'))).status, 200, 'a call from before goes on');
  const late = await LinkAgent.open(t, { ...options, agent: 'rocket' });
  t.match(await late.request('hello', hello(late, 'rocket')), {
    result: { denied: ['speak', 'take-photo', 'look*'] },
  });
});

t.test(
  "an agent that is denied a tool of Leo's is refused what the tool is for, on the link too",
  async (t) => {
    const own = await startDaemon(t, {
      config: 'agents:\n  rocket: { deny_tools: [leo_send_message] }\n  scout: { deny_tools: ["leo_*"] }\n',
    });
    const link = async (agent: string) => await LinkAgent.start(t, { socket: own.socket, agent });
    const params = { to: 'turtle', text: 'hello' };
    const turtle = await link('turtle');
    for (const [agent, method, refusal] of [
      ['rocket', 'message/send', /leo_send_message/],
      ['ROCKET', 'message/send', /leo_send_message/],
      ['scout', 'message/send', /leo_send_message/],
      ['scout', 'agents/list', /leo_list_agents/],
    ] as const)
      t.match(
        await (await link(agent)).request(method, params),
        { error: { code: -32003, message: refusal, data: { code: 'denied' } } },
        `${agent} ${method}`,
      );
    t.match(await (await link('rocket')).request('agents/list', {}), { result: { agents: Array } });
    t.match(await turtle.request('message/send', params), { error: { data: { code: 'not_deliverable' } } });
  },
);
