// The library when things break: the daemon is killed, answers are lost, streams end. Every call is done once
// and answered once.

import t, { type Test } from 'tap';
import { connect } from '../../lib/app/index.js';
import { cuttingProxy } from '../support/cutting-proxy.js';
import type { RunningDaemon } from '../support/daemon.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { http } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { answerOf, type TestApp, testApp } from '../support/test-app.js';
import { until } from '../support/wait.js';

/** A tool whose calls end when the test says so. */
function gate() {
  const runs: string[] = [];
  const aborted: string[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const tool = {
    name: 'wait',
    handler: async ({ id, signal }: { id: string; signal: AbortSignal }) => {
      runs.push(id);
      signal.addEventListener('abort', () => aborted.push(id));
      await opened;
      return `done ${id}`;
    },
  };
  return { tool, runs, aborted, open };
}

const done = (id: string) => [{ type: 'text', text: `done ${id}` }];

/** What a gateway sends when it parks a call again at a new daemon. */
async function resumeOf(daemon: RunningDaemon, app: TestApp, claimed: boolean) {
  const provider = app.app.clientId;
  await until('the daemon is reached', async () => (await http(daemon.socket, '/health')).status === 200);
  return {
    provider,
    keyed: true,
    group: 'gate',
    claimed_by: claimed ? provider : null,
    remaining_ms: 60_000,
  };
}

async function killedWithCall(t: Test) {
  const home = temporaryHome(t);
  const first = await startDaemon(t, { home });
  const app = await testApp(t, { socket: first.socket });
  const wait = gate();
  await app.app.offer('gate', [wait.tool]);
  const agent = await LinkAgent.start(t, { socket: first.socket, session: 's_survivor_1' });
  agent.park('r_survivor', 'wait');
  await until('the handler runs', () => wait.runs.length > 0);
  const resume = await resumeOf(first, app, true);
  return { home, first, app, wait, agent, resume };
}

for (const finish of [
  'while the daemon is down',
  'before the call is parked again',
  'after it is',
] as const) {
  t.test(`a call outlives kill -9 of the daemon; its handler ends ${finish}`, async (t) => {
    const { home, first, app, wait, resume } = await killedWithCall(t);
    await first.end('SIGKILL');
    if (finish === 'while the daemon is down') wait.open();
    const second = await startDaemon(t, { home });
    await app.told('connected', 2);
    t.equal(app.app.clientId, resume.provider, 'the same app');
    if (finish === 'before the call is parked again') wait.open();
    const agent = await LinkAgent.start(t, { socket: second.socket, session: 's_survivor_1' });
    agent.park('r_survivor', 'wait', {}, resume);
    if (finish === 'after it is') {
      await until('the call is parked again', async () =>
        JSON.stringify((await http(second.socket, '/api/v1/client-tools/requests?pending=1')).body).includes(
          'r_survivor',
        ),
      );
      wait.open();
    }
    t.same(answerOf(await agent.response('r_survivor')), done('r_survivor'));
    t.same(wait.runs, ['r_survivor'], 'the handler ran once');
    t.same(wait.aborted, []);
  });
}

t.test('a call that was parked again as unclaimed is claimed again and not run again', async (t) => {
  const { home, first, wait, app, resume } = await killedWithCall(t);
  await first.end('SIGKILL');
  const second = await startDaemon(t, { home });
  await app.told('offered', 2);
  const agent = await LinkAgent.start(t, { socket: second.socket, session: 's_survivor_1' });
  agent.park('r_survivor', 'wait', {}, { ...resume, claimed_by: null });
  await agent.notification('call/claimed');
  wait.open();
  t.same(answerOf(await agent.response('r_survivor')), done('r_survivor'));
  t.same(wait.runs, ['r_survivor']);
});

t.test(
  'an answer that the killed daemon had taken is given again, and the tool is not run again',
  async (t) => {
    const { home, first, app, wait, agent: lost, resume } = await killedWithCall(t);
    wait.open();
    await lost.response('r_survivor');
    t.equal((await app.told('call_ended')).code, 'ok');
    await first.end('SIGKILL');
    const second = await startDaemon(t, { home });
    await app.told('offered', 2);
    const agent = await LinkAgent.start(t, { socket: second.socket, session: 's_survivor_1' });
    agent.park('r_survivor', 'wait', {}, resume);
    t.same(answerOf(await agent.response('r_survivor')), done('r_survivor'));
    t.same(wait.runs, ['r_survivor']);
  },
);

t.test('every second answer to a POST is lost, and every call is done once and answered', async (t) => {
  const daemon = await startDaemon(t);
  const proxy = await cuttingProxy(t, daemon.socket);
  let posts = 0;
  proxy.loses = (request) => request.startsWith('POST') && posts++ % 2 === 0;
  const { app } = await testApp(t, { socket: proxy.socket });
  const runs: string[] = [];
  await app.offer('flaky', [
    {
      name: 'echo',
      handler: ({ id }) => {
        runs.push(id);
        return id;
      },
    },
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  // A cut loses what was sent behind it too, so that each more call loses all the others' answers once more.
  const ids = Array.from({ length: 24 }, (_, n) => `r_flaky_call_${n}`);
  for (const id of ids) agent.park(id, 'echo');
  for (const id of ids) t.same(answerOf(await agent.response(id)), [{ type: 'text', text: id }]);
  t.same([...runs].sort(), [...ids].sort(), 'each ran once');
  t.ok(proxy.lost() >= ids.length, `${proxy.lost()} answers were lost`);
});

t.test('a stream that is cut is taken up again: same app, same tools, same calls', async (t) => {
  const daemon = await startDaemon(t);
  const proxy = await cuttingProxy(t, daemon.socket);
  const { app, told } = await testApp(t, { socket: proxy.socket });
  const wait = gate();
  await app.offer('gate', [wait.tool]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_over_cuts', 'wait');
  await until('the handler runs', () => wait.runs.length > 0);
  const before = app.clientId;
  for (let cut = 2; cut <= 4; cut++) {
    proxy.cutStreams();
    await told('connected', cut);
    t.equal(app.clientId, before);
  }
  wait.open();
  t.same(answerOf(await agent.response('r_over_cuts')), done('r_over_cuts'));
  t.same(wait.runs, ['r_over_cuts']);
  t.same(wait.aborted, []);
});

t.test('a call that was cancelled while the stream was down is aborted', async (t) => {
  const daemon = await startDaemon(t);
  const proxy = await cuttingProxy(t, daemon.socket);
  const { app, told } = await testApp(t, { socket: proxy.socket });
  const wait = gate();
  await app.offer('gate', [wait.tool]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_cancelled_away', 'wait');
  await until('the handler runs', () => wait.runs.length > 0);
  proxy.loses = (request) => request.includes('/events');
  proxy.cutStreams();
  await told('reconnecting');
  agent.notify('call/cancel', { id: 'r_cancelled_away' });
  await agent.response('r_cancelled_away');
  proxy.loses = () => false;
  await until('the handler is aborted', () => wait.aborted.length > 0);
});

t.test('without a key a lost stream loses the calls, and the tools come back under a new id', async (t) => {
  const daemon = await startDaemon(t);
  const proxy = await cuttingProxy(t, daemon.socket);
  const { app, told } = await testApp(t, { socket: proxy.socket, clientKey: null });
  const wait = gate();
  await app.offer('gate', [wait.tool]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_lost_call', 'wait');
  await until('the handler runs', () => wait.runs.length > 0);
  const before = app.clientId;
  proxy.cutStreams();
  t.match(answerOf(await agent.response('r_lost_call')), { data: { code: 'no_client' } });
  await told('offered', 2);
  t.not(app.clientId, before);
  t.same(wait.aborted, ['r_lost_call']);
  wait.open();
  agent.park('r_next_call', 'wait');
  t.same(answerOf(await agent.response('r_next_call')), done('r_next_call'));
});

t.test('an app that comes back under its key takes up its claimed and its waiting calls', async (t) => {
  const daemon = await startDaemon(t);
  const clientKey = 'the key of this app';
  const one = await testApp(t, { socket: daemon.socket, clientKey });
  const wait = gate();
  await one.app.offer('gate', [wait.tool]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_was_claimed', 'wait');
  await until('the handler runs', () => wait.runs.length > 0);
  await one.app.close({ comingBack: true });
  t.same(wait.aborted, ['r_was_claimed']);
  agent.park('r_waits_for_it', 'wait');
  const two = await testApp(t, { socket: daemon.socket, clientKey });
  agent.park('r_before_offer', 'wait');
  const again = gate();
  again.open();
  await two.app.offer('gate', [again.tool]);
  for (const id of ['r_was_claimed', 'r_waits_for_it', 'r_before_offer']) {
    t.same(answerOf(await agent.response(id)), done(id));
  }
  t.equal(again.runs.length, 3);
});

t.test('a group that was lost to another app is told of, and offered again later', async (t) => {
  const daemon = await startDaemon(t);
  const proxy = await cuttingProxy(t, daemon.socket);
  const one = await testApp(t, { socket: proxy.socket, clientKey: null });
  await one.app.offer('a', [{ name: 'tool', handler: () => 'of one' }]);
  proxy.loses = (request) => request.includes('/events');
  proxy.cutStreams();
  const two = await testApp(t, { socket: daemon.socket });
  await until('the name is free', () =>
    two.app.offer('b', [{ name: 'tool', handler: () => 'of two' }]).then(
      () => true,
      () => false,
    ),
  );
  proxy.loses = () => false;
  t.equal((await one.told('offer_refused')).reason.code, 'name_conflict');
  await two.app.close();
  proxy.cutStreams();
  await one.told('offered', 2);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_of_one_again', 'tool');
  t.same(answerOf(await agent.response('r_of_one_again')), [{ type: 'text', text: 'of one' }]);
});

t.test('connect says what is wrong, or waits when it is told to', async (t) => {
  const home = temporaryHome(t);
  const socket = `${home}/state/leo.sock`;
  await t.rejects(connect({ socket }), { name: 'LeoAppError', code: 'unreachable' });
  await t.rejects(connect({ url: 'nonsense' }), TypeError);
  const stop = new AbortController();
  const stopped = connect({ socket, wait: true, signal: stop.signal });
  stop.abort();
  await t.rejects(stopped, { code: 'closed' });
  await t.rejects(connect({ socket, signal: stop.signal }), { code: 'closed' });
  const waiting = connect({ socket, wait: true });
  const daemon = await startDaemon(t, { home });
  const app = await waiting;
  t.equal(app.state, 'connected');
  await app.close();
  t.equal(await app.closed, undefined);
  await t.rejects(connect({ url: daemon.http, token: 'not the token' }), { code: 'unauthorized' });
  await t.rejects(connect({ socket, clientKey: 'short' }), { code: 'invalid_request' });
});

t.test('over TCP with a token', async (t) => {
  const daemon = await startDaemon(t);
  const { readFileSync } = await import('node:fs');
  const token = readFileSync(`${daemon.home}/state/api.token`, 'utf8').trim();
  const { app } = await testApp(t, { url: daemon.http, token });
  await app.offer('tcp', [{ name: 'hello', handler: () => 'over TCP' }]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_over_tcp', 'hello');
  t.same(answerOf(await agent.response('r_over_tcp')), [{ type: 'text', text: 'over TCP' }]);
});
