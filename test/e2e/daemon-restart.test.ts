// A daemon that is killed, or stopped and started again, loses no call (design 7). The gateway is spoken by hand
// here: it holds its calls and parks them again with `resume`, as lib/wire/link.ts says.

import { once } from 'node:events';
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { LinkAgent } from '../support/link-agent.js';
import { openCalls, RawApp, text, tool } from '../support/raw-app.js';
import { until } from '../support/wait.js';

t.jobs = 3;

const key = 'the-key-of-this-app';

/** What a gateway sends with a call that it parked before. */
function resume(
  provider: string,
  options: { keyed?: boolean; claimedBy?: string; remainingMs?: number | null } = {},
): object {
  const { keyed = true, claimedBy = null, remainingMs = 60_000 } = options;
  return { provider, keyed, group: 'group', claimed_by: claimedBy, remaining_ms: remainingMs };
}

async function parked(at: string, ids: readonly string[]): Promise<void> {
  await until(`${ids} are parked`, async () => {
    const open = (await openCalls(at)).map(({ id }) => id);
    return ids.every((id) => open.includes(id));
  });
}

/** The same session on a link to another daemon. */
async function again(t: Test, socket: string, agent: LinkAgent): Promise<LinkAgent> {
  return await LinkAgent.start(t, { socket, session: agent.session });
}

t.test('calls outlive a daemon that is killed, and apps find them again', async (t) => {
  const first = await startDaemon(t);
  const keyed = await RawApp.offering(t, { at: first.socket, key }, tool('take_photo'), tool('ask_human', 0));
  const plain = await RawApp.open(t, { at: first.socket });
  t.equal((await plain.register('plain', [tool('look')])).status, 200);
  const agent = await LinkAgent.start(t, { socket: first.socket });
  agent.park('r_claimed_1', 'take_photo', { flash: true });
  agent.park('r_parked_01', 'take_photo');
  agent.park('r_handoff_1', 'ask_human');
  agent.park('r_orphan_01', 'look', { at: 'the moon' });
  await parked(first.socket, ['r_claimed_1', 'r_parked_01', 'r_handoff_1', 'r_orphan_01']);
  t.equal((await keyed.claim('r_claimed_1')).status, 200);
  t.match(await agent.notification('call/claimed'), {
    params: { id: 'r_claimed_1', client_id: keyed.clientId },
  });
  await first.end('SIGKILL');

  const next = await startDaemon(t, { home: first.home });
  const back = await again(t, next.socket, agent);
  const kept = resume(keyed.clientId);
  back.park(
    'r_claimed_1',
    'take_photo',
    { flash: true },
    resume(keyed.clientId, { claimedBy: keyed.clientId }),
  );
  back.park('r_parked_01', 'take_photo', {}, kept);
  back.park('r_handoff_1', 'ask_human', {}, resume(keyed.clientId, { remainingMs: null }));
  back.park('r_orphan_01', 'look', { at: 'the moon' }, resume(plain.clientId, { keyed: false }));
  await parked(next.socket, ['r_claimed_1', 'r_parked_01', 'r_handoff_1', 'r_orphan_01']);

  await t.test('an app with a key is who it was, and finishes what it had begun', async (t) => {
    const app = await RawApp.open(t, { at: next.socket, key });
    t.equal(app.clientId, keyed.clientId);
    const requests = (await app.stream.next('hello')).data.requests as readonly Record<string, unknown>[];
    t.strictSame(
      requests.map(({ id, state, claimed_by, arguments: args }) => ({ id, state, claimed_by, args })),
      [
        { id: 'r_claimed_1', state: 'claimed', claimed_by: app.clientId, args: { flash: true } },
        { id: 'r_parked_01', state: 'parked', claimed_by: null, args: {} },
        { id: 'r_handoff_1', state: 'parked', claimed_by: null, args: {} },
      ],
      'its hello holds its own open calls',
    );
    t.equal((await app.result('r_claimed_1', text('a photo'))).status, 200, 'without a second claim');
    t.match(await back.response('r_claimed_1'), { result: { content: text('a photo') } });
    for (const id of ['r_parked_01', 'r_handoff_1']) {
      t.equal((await app.claim(id)).status, 200);
      t.equal((await app.fail(id, 'app_says_no', 'no')).status, 200);
      t.match(await back.response(id), { error: { message: 'no', data: { code: 'app_says_no' } } });
    }
  });

  await t.test('an app without a key is a new one, and takes over the call by its tool', async (t) => {
    const app = await RawApp.open(t, { at: next.socket });
    t.not(app.clientId, plain.clientId);
    t.equal((await app.register('sight', [tool('look')])).status, 200);
    const { data } = await app.stream.find(
      'the orphan, as its own',
      ({ event, data }) => event === 'client_tool.request' && data.group === 'sight',
    );
    t.match(data, { id: 'r_orphan_01', tool: 'look', arguments: { at: 'the moon' } });
    t.equal((await app.claim('r_orphan_01')).status, 200);
    t.equal((await app.result('r_orphan_01', text('cheese'))).status, 200);
    t.match(await back.response('r_orphan_01'), { result: { content: text('cheese') } });
  });
});

t.test('an app that is back before the gateway is asked again and is still the claimant', async (t) => {
  const first = await startDaemon(t);
  const before = await RawApp.offering(t, { at: first.socket, key }, tool('take_photo'));
  const agent = await LinkAgent.start(t, { socket: first.socket });
  agent.park('r_claimed_1', 'take_photo');
  await parked(first.socket, ['r_claimed_1']);
  await before.claim('r_claimed_1');
  await first.end('SIGKILL');

  const next = await startDaemon(t, { home: first.home });
  const app = await RawApp.offering(t, { at: next.socket, key }, tool('take_photo'));
  const back = await again(t, next.socket, agent);
  const claimed = resume(app.clientId, { claimedBy: before.clientId });
  back.park('r_claimed_1', 'take_photo', {}, claimed);
  await app.stream.next('client_tool.request', 'r_claimed_1');
  t.match(await openCalls(next.socket), [{ id: 'r_claimed_1', state: 'claimed', claimed_by: app.clientId }]);
  const other = await RawApp.open(t, { at: next.socket });
  t.match((await other.claim('r_claimed_1')).body, { code: 'already_claimed' });
  t.equal((await app.claim('r_claimed_1')).status, 200, 'its own claim may be said again');
  t.equal((await app.result('r_claimed_1', text('a photo'))).status, 200);
  t.match(await back.response('r_claimed_1'), { result: { content: text('a photo') } });
});

t.test('calls whose app does not come back end when the grace is over, handoffs wait on', async (t) => {
  const config = 'client_tools: { reconnect_grace_s: 0.3 }\n';
  const first = await startDaemon(t, { config });
  const gone = await RawApp.open(t, { at: first.socket, key });
  await first.end('SIGKILL');

  const next = await startDaemon(t, { home: first.home });
  const back = await LinkAgent.start(t, { socket: next.socket });
  back.park('r_keyed_001', 'take_photo', {}, resume(gone.clientId, { claimedBy: gone.clientId }));
  back.park('r_plain_001', 'look', {}, resume('c_nobody_at_all', { keyed: false }));
  back.park('r_handoff_1', 'ask_human', {}, resume(gone.clientId, { remainingMs: null }));
  for (const id of ['r_keyed_001', 'r_plain_001'])
    t.match(await back.response(id), { error: { data: { code: 'no_client' } } }, id);
  t.match(await openCalls(next.socket), [{ id: 'r_handoff_1', deadline: null }], 'the handoff waits');

  const other = await RawApp.offering(t, { at: next.socket }, tool('speak'));
  back.park('r_helper_01', 'speak', {}, resume(other.clientId, { claimedBy: 'c_gone_for_good' }));
  t.match(await back.notification('call/unclaimed'), { params: { id: 'r_helper_01' } });
  t.equal((await other.claim('r_helper_01')).status, 200, 'a claimant that stays away is given up');

  const late = await RawApp.open(t, { at: next.socket, key });
  t.match((await late.stream.next('hello')).data.requests, [{ id: 'r_handoff_1', state: 'parked' }]);
  t.equal((await late.claim('r_handoff_1')).status, 200);
  t.equal((await late.result('r_handoff_1', text('at last'))).status, 200);
  t.match(await back.response('r_handoff_1'), { result: { content: text('at last') } });
});

t.test('a claimant that is not the app of the tool is waited for', async (t) => {
  const first = await startDaemon(t);
  const helper = await RawApp.open(t, { at: first.socket, key: 'the-key-of-a-helper' });
  await first.end('SIGKILL');

  const next = await startDaemon(t, { home: first.home });
  const app = await RawApp.offering(t, { at: next.socket, key }, tool('take_photo'));
  const back = await LinkAgent.start(t, { socket: next.socket });
  back.park('r_helper_01', 'take_photo', {}, resume(app.clientId, { claimedBy: helper.clientId }));
  await app.stream.next('client_tool.request', 'r_helper_01');
  const again = await RawApp.open(t, { at: next.socket, key: 'the-key-of-a-helper' });
  t.match((await again.stream.next('hello')).data.requests, [
    { id: 'r_helper_01', claimed_by: again.clientId },
  ]);
  t.equal((await again.result('r_helper_01', text('helped'))).status, 200);
});

t.test('a claim that did not outlive the daemon is taken back', async (t) => {
  const daemon = await startDaemon(t);
  const app = await RawApp.offering(t, { at: daemon.socket }, tool('look'));
  const back = await LinkAgent.start(t, { socket: daemon.socket });
  const before = resume('c_before_the_restart', { keyed: false, claimedBy: 'c_before_the_restart' });
  back.park('r_unclaimed', 'look', {}, before);
  t.match(await back.notification('call/unclaimed'), { params: { id: 'r_unclaimed' } });
  t.equal((await app.claim('r_unclaimed')).status, 200);
});

t.test('time goes on while the daemon is down', async (t) => {
  const daemon = await startDaemon(t);
  const app = await RawApp.offering(t, { at: daemon.socket, key }, tool('take_photo'));
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  for (const [id, remainingMs] of [
    ['r_late_0001', -5000],
    ['r_late_0002', 0],
    ['r_late_0003', 40],
  ] as const) {
    agent.park(id, 'take_photo', {}, resume(app.clientId, { remainingMs }));
    t.match(await agent.response(id), { error: { data: { code: 'timeout' } } }, `${remainingMs} ms left`);
    await app.stream.next('client_tool.cancelled', id);
  }
});

t.test('no call ends because the daemon stops', async (t) => {
  const first = await startDaemon(t);
  const app = await RawApp.offering(t, { at: first.socket, key }, tool('take_photo'));
  const watcher = await RawApp.open(t, { at: first.socket });
  const agent = await LinkAgent.start(t, { socket: first.socket });
  agent.park('r_claimed_1', 'take_photo');
  agent.park('r_parked_01', 'take_photo');
  await parked(first.socket, ['r_claimed_1', 'r_parked_01']);
  await app.claim('r_claimed_1');
  const closed = once(agent.webSocket, 'close');
  t.equal(await first.end('SIGTERM'), 0, 'though streams and a link are open');
  t.equal((await closed)[0], 4002, 'the gateway is told to come back');
  await until('the streams are over', () => app.stream.ended && watcher.stream.ended);
  t.notMatch(app.stream.text + watcher.stream.text, /client_tool\.(cancelled|settled)|agent\.stopped/);
  t.notOk(
    agent.messages.some(({ id }) => id === 'r_claimed_1' || id === 'r_parked_01'),
    'the agent is told of no end',
  );

  const next = await startDaemon(t, { home: first.home });
  const back = await again(t, next.socket, agent);
  back.park('r_claimed_1', 'take_photo', {}, resume(app.clientId, { claimedBy: app.clientId }));
  await parked(next.socket, ['r_claimed_1']);
  const same = await RawApp.open(t, { at: next.socket, key });
  t.equal((await same.result('r_claimed_1', text('a photo'))).status, 200);
  t.match(await back.response('r_claimed_1'), { result: { content: text('a photo') } });
});

t.test(
  'an outcome that the gateway has not acknowledged is sent again, and the app is not asked twice',
  async (t) => {
    const daemon = await startDaemon(t);
    const app = await RawApp.offering(t, { at: daemon.socket, key }, tool('take_photo'));
    const agent = await LinkAgent.start(t, { socket: daemon.socket });
    agent.park('r_lost_0001', 'take_photo');
    await app.stream.next('client_tool.request', 'r_lost_0001');
    await app.claim('r_lost_0001');
    await app.result('r_lost_0001', text('once'));
    await agent.response('r_lost_0001');

    let back = agent;
    for (const round of ['first', 'second']) {
      back = await again(t, daemon.socket, agent);
      back.park('r_lost_0001', 'take_photo', {}, resume(app.clientId, { claimedBy: app.clientId }));
      t.match(await back.response('r_lost_0001'), { result: { content: text('once') } }, `the ${round} time`);
    }
    const asked = () =>
      app.stream.events.filter(
        ({ event, data }) => event === 'client_tool.request' && data.id === 'r_lost_0001',
      );
    back.park('r_marker_01', 'take_photo');
    await app.stream.next('client_tool.request', 'r_marker_01');
    t.equal(asked().length, 1, 'the app was asked once');

    back.notify('call/received', { id: 'r_lost_0001' });
    back.park('r_lost_0001', 'take_photo');
    await until('once acknowledged it is forgotten, and the id is free', () => asked().length === 2);
  },
);

t.test('an outcome of another session is not handed out', async (t) => {
  const daemon = await startDaemon(t);
  const app = await RawApp.offering(t, { at: daemon.socket }, tool('take_photo'));
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_secret_01', 'take_photo');
  await app.stream.next('client_tool.request', 'r_secret_01');
  await app.claim('r_secret_01');
  await app.result('r_secret_01', text('for one pair of eyes'));
  await agent.response('r_secret_01');
  const other = await LinkAgent.start(t, { socket: daemon.socket, agent: 'other' });
  other.park('r_secret_01', 'no_such_tool', {}, resume('c_nobody_at_all', { remainingMs: 1 }));
  t.match(await other.response('r_secret_01'), { error: { data: { code: 'timeout' } } });
});

t.test('a daemon that is told to end waits for nobody who does not read', async (t) => {
  const daemon = await startDaemon(t);
  const app = await RawApp.offering(t, { at: daemon.socket, key }, tool('take_photo'));
  app.stream.response.pause();
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.webSocket.pause();
  agent.park('r_parked_01', 'take_photo', { large: 'x'.repeat(2_000_000) });
  await parked(daemon.socket, ['r_parked_01']);
  t.equal(await daemon.end('SIGTERM'), 0);
});
