// Apps that stall, die, answer twice, late or in bits, come back, or send what would poison a conversation
// (design 5, 6, 7). One daemon serves all of them: what an app does must not be felt by another.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http, post } from '../support/http.js';
import { images, pngOf } from '../support/images.js';
import { LinkAgent } from '../support/link-agent.js';
import { openCalls, RawApp, type RawAppOptions, text, tool } from '../support/raw-app.js';
import { rawHttp } from '../support/raw-http.js';
import { until } from '../support/wait.js';

t.jobs = 4;

const daemon = await startDaemon(t);
const at = daemon.socket;
const app = (t: Test, tools: readonly object[], options: Partial<RawAppOptions> = {}) =>
  RawApp.offering(t, { at, ...options }, ...tools);
const agentOf = (t: Test, agent: string) => LinkAgent.start(t, { socket: at, agent });

interface Registered {
  readonly groups: readonly {
    readonly client_id: string;
    readonly connected: boolean;
    readonly tools: readonly { readonly name: string }[];
  }[];
}
async function holderOf(name: string): Promise<Registered['groups'][number] | undefined> {
  const data = (await http(at, '/api/v1/client-tools')).body.data as unknown as Registered;
  return data.groups.find(({ tools }) => tools.some((tool) => tool.name === name));
}

/** Parks a call and claims it. */
async function claimed(agent: LinkAgent, by: RawApp, id: string, name: string): Promise<void> {
  agent.park(id, name);
  await by.stream.next('client_tool.request', id);
  const { status, body } = await by.claim(id);
  if (status !== 200) throw new Error(`the claim was refused: ${JSON.stringify(body)}`);
}

t.test('large frames', async (t) => {
  // A daemon of its own: every app is shown every call.
  const own = await startDaemon(t);
  const agent = await LinkAgent.start(t, { socket: own.socket });

  await t.test('far larger than what may be unread, and many at once, reach an app that reads', async (t) => {
    const reader = await RawApp.offering(t, { at: own.socket }, tool('swallow'));
    const sizes = [5_000_000, 5_000_000, 5_000_000, ...Array.from({ length: 40 }, () => 60_000)];
    sizes.forEach((size, i) => {
      agent.park(`r_large_${100 + i}`, 'swallow', { large: 'x'.repeat(size) });
    });
    for (const [i, size] of sizes.entries()) {
      const { data } = await reader.stream.next('client_tool.request', `r_large_${100 + i}`);
      t.equal((data.arguments as { large: string }).large.length, size);
    }
    reader.stream.close();
  });

  await t.test('an app that does not read them is cut off, and slows nobody else', async (t) => {
    const stalled = await RawApp.offering(t, { at: own.socket }, tool('stalled'));
    const reader = await RawApp.offering(t, { at: own.socket }, tool('read'));
    const stalledIsThere = async () =>
      JSON.stringify((await http(own.socket, '/api/v1/client-tools')).body).includes('"stalled"');
    stalled.stream.response.pause();
    const chunk = 'x'.repeat(300_000);
    for (let i = 0; i < 12; i++) {
      const id = `r_stalled_${i}`;
      agent.park(id, 'read', { chunk });
      // The reader gets each at once, whatever the other leaves unread, and answers it.
      await reader.stream.next('client_tool.request', id);
      await reader.claim(id);
      t.equal((await reader.result(id, text('read'))).status, 200);
      await agent.response(id);
      if (i === 2) t.ok(await stalledIsThere(), 'less than 1 MiB may be unread');
    }
    await until('the stalled app is cut off', async () => !(await stalledIsThere()));
    stalled.stream.response.resume();
    await until('its stream ends', () => stalled.stream.ended);
  });
});

t.test('the calls of an app that claims and dies end for the agent', async (t) => {
  const dying = await app(t, [tool('dying')]);
  const agent = await agentOf(t, 'dying');
  await claimed(agent, dying, 'r_dying_001', 'dying');
  agent.park('r_dying_002', 'dying');
  await dying.stream.next('client_tool.request', 'r_dying_002');
  dying.stream.close();
  for (const id of ['r_dying_001', 'r_dying_002'])
    t.match(await agent.response(id), { error: { data: { code: 'no_client' } } }, id);
  agent.park('r_dying_003', 'dying');
  t.match(await agent.response('r_dying_003'), { error: { data: { code: 'no_client' } } }, 'a new one too');
});

t.test('a call whose claimant dies, but not its app, is published again', async (t) => {
  const owner = await app(t, [tool('relayed')]);
  const helper = await RawApp.open(t, { at });
  const agent = await agentOf(t, 'relay');
  await claimed(agent, helper, 'r_relay_001', 'relayed');
  t.match((await owner.claim('r_relay_001')).body, { code: 'already_claimed' });
  helper.stream.close();
  await until(
    'it is asked for again',
    () =>
      owner.stream.events.filter(
        ({ event, data }) => event === 'client_tool.request' && data.id === 'r_relay_001',
      ).length === 2,
  );
  t.equal((await owner.claim('r_relay_001')).status, 200, 'its ownership has gone with it');
  t.equal((await owner.result('r_relay_001', text('done'))).status, 200);
  t.match(await agent.response('r_relay_001'), { result: { content: text('done') } });
});

t.test('an app that answers twice, without a claim, or late is told so', async (t) => {
  const answering = await app(t, [tool('answer'), tool('soon', 1)]);
  const other = await RawApp.open(t, { at });
  const agent = await agentOf(t, 'answers');
  agent.park('r_twice_001', 'answer');
  await answering.stream.next('client_tool.request', 'r_twice_001');
  const early = await answering.result('r_twice_001', text('early'));
  t.match({ ...early }, { status: 409, body: { code: 'not_claimant' } }, 'without a claim');
  await answering.claim('r_twice_001');
  t.equal((await answering.claim('r_twice_001')).status, 200, 'a claim may be repeated');
  t.match((await other.result('r_twice_001', text('mine'))).body, { code: 'not_claimant' });
  for (const time of ['first', 'second', 'third'])
    t.equal((await answering.result('r_twice_001', text('the answer'))).status, 200, `the ${time} time`);
  const different = await answering.result('r_twice_001', text('another answer'));
  t.match({ ...different }, { status: 409, body: { code: 'already_settled' } });
  t.match((await other.result('r_twice_001', text('the answer'))).body, { code: 'already_settled' });
  t.match((await answering.claim('r_twice_001')).body, { code: 'already_settled' });
  t.match(await agent.response('r_twice_001'), { result: { content: text('the answer') } });
  t.equal(agent.messages.filter(({ id }) => id === 'r_twice_001').length, 1, 'the agent has one answer');

  await claimed(agent, answering, 'r_cancel_01', 'answer');
  agent.notify('call/cancel', { id: 'r_cancel_01' });
  agent.notify('call/cancel', { id: 'r_cancel_01' });
  t.match((await answering.stream.next('client_tool.cancelled', 'r_cancel_01')).data, {
    reason: 'cancelled',
  });
  await claimed(agent, answering, 'r_timeout_1', 'soon');
  t.match((await answering.stream.next('client_tool.cancelled', 'r_timeout_1')).data, { reason: 'timeout' });
  for (const id of ['r_cancel_01', 'r_timeout_1', 'r_never_was']) {
    const late = await answering.result(id, text('late'));
    t.match({ ...late }, { status: 404, body: { code: 'unknown_request' } }, id);
    t.match((await answering.claim(id)).body, { code: 'unknown_request' });
  }
  t.match(await agent.response('r_cancel_01'), { error: { data: { code: 'cancelled' } } });
  t.match(await agent.response('r_timeout_1'), { error: { data: { code: 'timeout' } } });
});

t.test('an answer in bits is one answer', async (t) => {
  const slow = await app(t, [tool('in_bits')]);
  const agent = await agentOf(t, 'bits');
  const path = '/api/v1/client-tools/requests';
  const answer = (words: string) =>
    Buffer.from(JSON.stringify({ client_id: slow.clientId, ok: true, content: text(words) }));
  const head = (id: string, length: string) =>
    `POST ${path}/${id}/result HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n${length}\r\n\r\n`;

  await claimed(agent, slow, 'r_bits_0001', 'in_bits');
  const whole = answer('a — b ☕ c');
  // One byte a write: characters are cut in two.
  const bytes = [...whole].map((byte) => Buffer.from([byte]));
  const written = await rawHttp(at, ...head('r_bits_0001', `content-length: ${whole.length}`), ...bytes);
  t.equal(written.status, 200);
  t.match(await agent.response('r_bits_0001'), { result: { content: text('a — b ☕ c') } });

  await claimed(agent, slow, 'r_bits_0002', 'in_bits');
  const chunks = [...answer('ü')].flatMap((byte) => ['1\r\n', Buffer.from([byte]), '\r\n']);
  const chunked = await rawHttp(
    at,
    head('r_bits_0002', 'transfer-encoding: chunked'),
    ...chunks,
    '0\r\n\r\n',
  );
  t.equal(chunked.status, 200);
  t.match(await agent.response('r_bits_0002'), { result: { content: text('ü') } });

  await claimed(agent, slow, 'r_bits_0003', 'in_bits');
  const half = await rawHttp(
    at,
    head('r_bits_0003', 'transfer-encoding: chunked'),
    '5\r\n{"cli',
    '\r\nzz\r\n',
  );
  t.equal(half.status, 400, 'a torn one is none');
  t.ok(
    (await openCalls(at)).some(({ id }) => id === 'r_bits_0003'),
    'the call is still open',
  );
  t.equal((await slow.result('r_bits_0003', text('whole'))).status, 200);
});

t.test('a stream that comes back gets what it missed, or a new hello', async (t) => {
  const mover = await app(t, [tool('moved')]);
  const change = async (i: number) => void (await mover.register('group', [tool('moved', 60 + i)]));
  const first = await EventStream.open(t, { at });
  const { id, data } = await first.next('hello');
  const epoch = String(data.epoch);
  t.equal(id, `${epoch}-${data.seq}`);
  await change(1);
  const { id: seenId, data: seen } = await first.next('client_tools.changed');
  first.close();
  await change(2);
  await change(3);

  const back = await EventStream.open(t, { at, headers: { 'last-event-id': seenId } });
  await until('it has what it missed', () => back.events.length >= 2);
  t.equal(back.events[0]?.data.seq, Number(seen.seq) + 1, 'from the event after');
  t.notOk(
    back.events.some(({ event }) => event === 'hello'),
    'and no hello',
  );
  await change(4);
  await until('and what comes after', () => back.events.length >= 3);

  const newest = back.events.at(-1)?.id ?? '';
  const current = await EventStream.open(t, { at, headers: { 'last-event-id': newest } });
  await change(5);
  await until('a stream that missed nothing goes on', () => current.events.length >= 1);
  t.notOk(current.events.some(({ event }) => event === 'hello'));

  for (const nonsense of [
    `000000000000-${seen.seq}`,
    `${epoch}-999999999999`,
    `${epoch}-99999999999999999999999`,
    `${epoch}--1`,
    `${epoch}-`,
    epoch,
    '',
    '-',
    '0',
    'x'.repeat(5000),
    'Ünsinn',
    '🦁'.repeat(20),
  ]) {
    const stream = await EventStream.open(t, {
      at,
      headers: { 'last-event-id': Buffer.from(nonsense).toString('latin1') },
    });
    const { data } = await stream.next('hello');
    t.equal(data.epoch, epoch, `Last-Event-ID: ${nonsense.slice(0, 30)}`);
    t.equal(stream.events[0]?.event, 'hello');
    stream.close();
  }
});

t.test('an app that comes back with its key keeps all it had, and the agents notice nothing', async (t) => {
  const key = 'a-key-that-comes-back';
  const before = await app(t, [tool('kept')], { key });
  const agent = await agentOf(t, 'kept');
  await claimed(agent, before, 'r_kept_0001', 'kept');
  const changes = () => agent.messages.filter(({ method }) => method === 'catalogue/changed');
  const marker = await app(t, [tool('marker_before')]);
  await until('the marker is known', () => JSON.stringify(changes()).includes('marker_before'));
  before.stream.close();
  await until('it is away', async () => (await holderOf('kept'))?.connected === false);
  agent.park('r_kept_0002', 'kept');
  const watching = await EventStream.open(t, { at });
  await until('it is parked', async () => (await openCalls(at)).some(({ id }) => id === 'r_kept_0002'));

  const after = await RawApp.open(t, { at, key });
  t.equal(after.clientId, before.clientId);
  t.match((await after.stream.next('hello')).data.requests, [
    { id: 'r_kept_0001', state: 'claimed', claimed_by: after.clientId },
    { id: 'r_kept_0002', state: 'parked' },
  ]);
  t.equal((await holderOf('kept'))?.connected, true);
  t.equal(
    (await after.register('group', [tool('kept')])).status,
    200,
    'what it registers again is no change',
  );
  t.equal((await after.result('r_kept_0001', text('one'))).status, 200, 'and it is still the claimant');
  await after.claim('r_kept_0002');
  await after.result('r_kept_0002', text('two'));
  t.match(await agent.response('r_kept_0001'), { result: { content: text('one') } });
  t.match(await agent.response('r_kept_0002'), { result: { content: text('two') } });
  await marker.register('group', [tool('marker_after')]);
  await until('the marker is known', () => JSON.stringify(changes()).includes('marker_after'));
  t.ok(
    changes().every((message) => JSON.stringify(message).includes('"kept"')),
    'the tool was never gone',
  );
  watching.close();
});

t.test('a new stream with the same key replaces the old one at once', async (t) => {
  const key = 'a-key-on-two-streams';
  const older = await app(t, [tool('twofold')], { key });
  const agent = await agentOf(t, 'twofold');
  await claimed(agent, older, 'r_twofold_1', 'twofold');
  const newer = await RawApp.open(t, { at, key });
  t.equal(newer.clientId, older.clientId);
  await until('the older stream is ended', () => older.stream.ended);
  t.equal((await holderOf('twofold'))?.connected, true, 'the end of the older is not the end of the app');
  t.equal((await newer.result('r_twofold_1', text('done'))).status, 200);
  t.match(await agent.response('r_twofold_1'), { result: { content: text('done') } });
  agent.park('r_twofold_2', 'twofold');
  await newer.stream.next('client_tool.request', 'r_twofold_2');
});

t.test('an app that stays away past its grace is gone with all it had', async (t) => {
  const quick = await startDaemon(t, { config: 'client_tools: { reconnect_grace_s: 0.2 }\n' });
  const key = 'a-key-that-stays-away';
  const away = await RawApp.offering(t, { at: quick.socket, key }, tool('gone'), tool('handoff', 0));
  const agent = await LinkAgent.start(t, { socket: quick.socket });
  await claimed(agent, away, 'r_gone_0001', 'gone');
  await claimed(agent, away, 'r_gone_0002', 'handoff');
  away.stream.close();
  t.match(await agent.response('r_gone_0001'), { error: { data: { code: 'no_client' } } });
  await until('its tools are withdrawn', () =>
    agent.messages.some(
      ({ method, params }) =>
        method === 'catalogue/changed' && (params as { tools: readonly object[] }).tools.length === 0,
    ),
  );
  await until('its claim is taken back', async () => (await openCalls(quick.socket))[0]?.state === 'parked');
  t.match(await openCalls(quick.socket), [{ id: 'r_gone_0002', state: 'parked' }], 'its handoff waits');
  const back = await RawApp.open(t, { at: quick.socket, key });
  t.match((await back.stream.next('hello')).data.requests, [{ id: 'r_gone_0002', state: 'parked' }]);
  await back.claim('r_gone_0002');
  t.equal((await back.result('r_gone_0002', text('late'))).status, 200);
  t.match(await agent.response('r_gone_0002'), { result: { content: text('late') } });
});

t.test("the first claimant owns the agent's group, until it or the agent goes", async (t) => {
  const camera = await app(t, [tool('owned')]);
  const phone = await RawApp.open(t, { at });
  const agent = await agentOf(t, 'owner');
  const second = await LinkAgent.start(t, { socket: at, agent: 'owner' });
  await claimed(agent, phone, 'r_owned_001', 'owned');
  await phone.result('r_owned_001', text('mine'));
  agent.park('r_owned_002', 'owned');
  await camera.stream.next('client_tool.request', 'r_owned_002');
  const { status, body } = await camera.claim('r_owned_002');
  t.match({ status, body }, { status: 409, body: { code: 'owned_by_other' } });
  t.match(body.error, new RegExp(phone.clientId), 'and the owner is named');
  const others = await agentOf(t, 'another-agent');
  await claimed(others, camera, 'r_owned_003', 'owned');

  await agent.bye();
  await camera.stream.next('client_tool.cancelled', 'r_owned_002');
  second.park('r_owned_004', 'owned');
  await camera.stream.next('client_tool.request', 'r_owned_004');
  t.match(
    (await camera.claim('r_owned_004')).body,
    { code: 'owned_by_other' },
    'the agent has a session left',
  );
  await second.bye();
  await camera.stream.find(
    'the end of the agent',
    ({ event, data }) => event === 'agent.stopped' && data.name === 'owner',
  );
  const again = await agentOf(t, 'owner');
  await claimed(again, camera, 'r_owned_005', 'owned');

  await claimed(others, camera, 'r_owned_006', 'owned');
  const heir = await RawApp.open(t, { at });
  await camera.result('r_owned_006', text('done'));
  others.park('r_owned_007', 'owned');
  await heir.stream.next('client_tool.request', 'r_owned_007');
  t.match((await heir.claim('r_owned_007')).body, { code: 'owned_by_other' });
});

t.test('two apps that named their groups alike do not own each other', async (t) => {
  const one = await app(t, [tool('alike_one')]);
  const two = await app(t, [tool('alike_two')]);
  const agent = await agentOf(t, 'alike');
  await claimed(agent, one, 'r_alike_001', 'alike_one');
  await claimed(agent, two, 'r_alike_002', 'alike_two');
  t.equal((await two.result('r_alike_002', text('done'))).status, 200);
});

t.test('an owner that goes leaves its groups to others', async (t) => {
  const camera = await app(t, [tool('inherited')]);
  const phone = await RawApp.open(t, { at });
  const agent = await agentOf(t, 'heir');
  await claimed(agent, phone, 'r_heir_0001', 'inherited');
  await agent.notification('call/claimed');
  phone.stream.close();
  t.match(await agent.notification('call/unclaimed'), { params: { id: 'r_heir_0001' } });
  t.equal((await camera.claim('r_heir_0001')).status, 200);
});

t.test('a group is withdrawn by itself, and its calls with it', async (t) => {
  const two = await RawApp.open(t, { at });
  await two.register('one', [tool('group_one')]);
  await two.register('two', [tool('group_two')]);
  const agent = await agentOf(t, 'withdrawn');
  agent.park('r_group_001', 'group_one');
  agent.park('r_group_002', 'group_two');
  await two.stream.next('client_tool.request', 'r_group_002');
  t.equal((await two.withdraw('one')).status, 200);
  t.match(await agent.response('r_group_001'), { error: { data: { code: 'no_client' } } });
  t.match((await two.withdraw('one')).body, { code: 'not_found' });
  t.equal(await holderOf('group_one'), undefined);
  t.equal((await two.claim('r_group_002')).status, 200, 'the other group is untouched');
  const stranger = await RawApp.open(t, { at });
  t.match((await stranger.withdraw('two')).body, { code: 'not_found' }, 'and is nobody else to withdraw');
  t.match((await stranger.register('two', [tool('Group-Two')])).body, { code: 'name_conflict' });
});

t.test('a name that was registered once is denied from the start, before its app is back', async (t) => {
  const first = await startDaemon(t);
  await RawApp.offering(t, { at: first.socket }, tool('remember_me'));
  await first.end();
  writeFileSync(placesOf(first.env).config, 'deny_tools: [remember_me]\n');
  const second = await startDaemon(t, { home: first.home });
  const agent = await LinkAgent.start(t, { socket: second.socket });
  agent.park('r_remember', 'remember_me');
  t.match(await agent.response('r_remember'), { error: { data: { code: 'denied' } } });
});

t.test('names of tools are remembered, and a file that cannot be written stops nobody', async (t) => {
  const own = await startDaemon(t);
  const { rememberedTools, config } = placesOf(own.env);
  const offering = await RawApp.offering(t, { at: own.socket }, tool('remember_me'));
  t.strictSame(JSON.parse(readFileSync(rememberedTools, 'utf8')), { tools: ['remember_me'] });
  await offering.register('group', []);
  writeFileSync(config, 'deny_tools: [remember_me]\n');
  own.child.kill('SIGHUP');
  await until('a name that is gone may be denied', () => /reloaded leo\.yaml/.test(own.log()));

  rmSync(rememberedTools);
  mkdirSync(rememberedTools);
  const agent = await LinkAgent.start(t, { socket: own.socket });
  t.equal((await offering.register('group', [tool('unwritten')])).status, 200);
  await offering.stream.find('the change', ({ data }) => JSON.stringify(data.tools) === '["unwritten"]');
  agent.park('r_unwritten', 'unwritten');
  t.equal((await offering.stream.next('client_tool.request', 'r_unwritten')).data.tool, 'unwritten');
  t.match(own.log(), /client-tools\.json/, 'the log says so');
});

t.test('no number is missing on any stream, and a redacted one never shows a word of a call', async (t) => {
  const canary = 'c4nary-w0rd';
  const watcher = await EventStream.open(t, { at });
  const provider = await app(t, [tool('canary')]);
  const agent = await agentOf(t, 'canary-agent');
  const rounds = 30;
  for (let i = 0; i < rounds; i++) {
    const id = `r_canary_${String(i).padStart(3, '0')}`;
    agent.park(id, 'canary', { secret: `${canary}-argument`, [`${canary}-key`]: i });
  }
  await provider.stream.next('client_tool.request', `r_canary_${String(rounds - 1).padStart(3, '0')}`);
  await Promise.all(
    Array.from({ length: rounds }, async (_, i) => {
      const id = `r_canary_${String(i).padStart(3, '0')}`;
      if (i % 5 === 4) return agent.notify('call/cancel', { id });
      await provider.claim(id);
      if (i % 3 === 0) await provider.progress(id, i);
      if (i % 3 === 1) await provider.fail(id, 'went_wrong', `${canary}-message`);
      else await provider.result(id, text(`${canary}-result`));
    }),
  );
  for (let i = 0; i < rounds; i++) await agent.response(`r_canary_${String(i).padStart(3, '0')}`);
  await provider.register('group', [tool('canary_over')]);
  await until('the watcher has all', () => watcher.text.includes('canary_over'));
  await until('the provider has all', () => provider.stream.text.includes('"canary_over"'));
  for (const stream of [watcher, provider.stream]) {
    const numbers = stream.events.map(({ data }) => Number(data.seq));
    t.strictSame(
      numbers,
      numbers.map((_, i) => (numbers[0] ?? 0) + i),
      'contiguous from its hello',
    );
  }
  t.match(provider.stream.text, canary, 'an app is shown the arguments');
  t.notMatch(watcher.text, canary, 'a watcher never is');
  const late = await EventStream.open(t, { at, headers: { 'last-event-id': watcher.events[0]?.id ?? '' } });
  await until('the replay has all', () => late.text.includes('canary_over'));
  t.notMatch(late.text, canary, 'nor by a replay');
});

const base64 = images.png.toString('base64');
const image = (bytes: Buffer, mimeType: string) => [
  { type: 'image', data: bytes.toString('base64'), mimeType },
];
const poison: readonly {
  readonly what: string;
  readonly content: readonly object[];
  readonly says: RegExp;
}[] = [
  {
    what: 'a JPEG labelled PNG',
    content: image(images.jpeg, 'image/png'),
    says: /\$\.content\[0\]\.data: the bytes are image\/jpeg, not image\/png/,
  },
  {
    what: 'an SVG',
    content: image(Buffer.from('<svg/>'), 'image/svg+xml'),
    says: /"image\/svg\+xml" is not one of/,
  },
  {
    what: 'base64 with spaces',
    content: [{ type: 'image', data: `${base64.slice(0, 20)} ${base64.slice(20)}`, mimeType: 'image/png' }],
    says: /is not base64/,
  },
  {
    what: 'base64 with junk at its end',
    content: [{ type: 'image', data: `${base64}!`, mimeType: 'image/png' }],
    says: /is not base64/,
  },
  {
    what: 'base64 as a data URL',
    content: [{ type: 'image', data: `data:image/png;base64,${base64}`, mimeType: 'image/png' }],
    says: /is not base64/,
  },
  { what: 'an empty text', content: text('fine', ''), says: /\$\.content\[1\]\.text: must not be empty/ },
  { what: 'a text that is none', content: [{ type: 'text', text: 7 }], says: /\.text: must be text/ },
  { what: 'a line past 9 MiB', content: text('x'.repeat(9 * 1024 * 1024)), says: /\(9 MiB\)/ },
  {
    what: 'an image past 5 MiB',
    content: image(Buffer.concat([images.png, Buffer.alloc(5 * 1024 * 1024)]), 'image/png'),
    says: /\(5 MiB\)/,
  },
  { what: 'an image of 8001 pixels', content: image(pngOf(8001, 10), 'image/png'), says: /8001 × 10 pixels/ },
  {
    what: 'an unknown block',
    content: [{ type: 'video', data: 'AAAA' }],
    says: /"video" is no MCP content block/,
  },
];
t.test('content that would poison a conversation is refused, and the call waits for better', async (t) => {
  const source = await app(t, [tool('poison')]);
  const agent = await agentOf(t, 'poisoned');
  await claimed(agent, source, 'r_poison_01', 'poison');
  for (const { what, content, says } of poison) {
    const { status, body } = await source.result('r_poison_01', content);
    t.match({ status, body }, { status: 400, body: { code: 'invalid_result', error: says } }, what);
  }
  const deep = `[{"type":"text","text":"a","_meta":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`;
  const nested = await post(
    at,
    '/api/v1/client-tools/requests/r_poison_01/result',
    `{"client_id":"${source.clientId}","ok":true,"content":${deep}}`,
  );
  t.match(nested.body, { code: 'invalid_result', error: /nests deeper than 128 levels/ });
  t.notOk(
    agent.messages.some(({ id }) => id === 'r_poison_01'),
    'the agent has seen nothing',
  );
  const good = [{ type: 'text', text: 'a lone \ud800 surrogate' }, ...image(images.png, 'image/png')];
  t.equal((await source.result('r_poison_01', good)).status, 200);
  t.strictSame((await agent.response('r_poison_01')).result, {
    content: [{ type: 'text', text: 'a lone � surrogate' }, ...image(images.png, 'image/png')],
  });
});
