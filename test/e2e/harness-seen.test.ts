// What a harness was seen to do decides how the next session of it begins (design 8).

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { daemonAddress } from '../../lib/cli/daemon-client.js';
import { seenHarnesses } from '../../lib/cli/seen-harnesses.js';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { envelope, Gateway } from '../support/gateway.js';
import { until } from '../support/wait.js';

const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const pair = ['leo_app_call', 'leo_app_tools', ...own];
const listChanged = 'notifications/tools/list_changed';
const snap = { name: 'snap', handler: () => 'done' };
t.jobs = 2;

t.test('a harness that does not list again is remembered, and its next session begins so', async (t) => {
  const daemon = await startDaemon(t);
  const listing = async (name: string) => {
    const gateway = Gateway.start(t, { home: daemon.home, args: ['--agent', name] });
    await gateway.initialize(name);
    t.strictSame(await gateway.toolNames(), own);
    return gateway;
  };
  const [busy, again, idle] = await Promise.all(['claude-code', 'opencode', 'kilo'].map(listing));
  await startApp(t, daemon.socket, 'demo', [snap]);
  for (const gateway of [busy, again, idle])
    await until('the harness is told', () => gateway?.notifications(listChanged)[0]);
  await busy?.request('tools/call', { name: 'leo_list_agents', arguments: {} });
  await idle?.request('ping');
  t.strictSame(await again?.toolNames(), [...own, 'snap'].sort());
  const seen = await until(
    'it is remembered',
    async () => {
      const list = await seenHarnesses(daemonAddress(daemon.env));
      return list.some(({ name }) => name === 'claude-code') && list;
    },
    30_000,
  );
  t.match(seen, [
    { name: 'claude-code', version: '1.0.0', relists: false, relisted_at: null },
    { name: 'opencode', version: '1.0.0', relists: true, missed_at: null },
  ]);
  t.equal(seen.length, 2, 'nothing is learnt of the idle one');
  const file = placesOf(daemon.env).seenHarnesses;
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.match(JSON.parse(readFileSync(file, 'utf8')), { harnesses: { length: 2 } });

  const next = Gateway.start(t, { home: daemon.home });
  t.match(await next.initialize('claude-code'), { result: { instructions: /leo_app_call/ } });
  await next.reached();
  t.strictSame(await next.toolNames(), pair);
  t.strictSame(await busy?.toolNames(), [...own, 'snap'].sort(), 'the session itself goes on as it began');
});

/** A home whose daemon has seen that claude-code 1.0.0 does not list again. */
function homeThatSaw(t: Test): string {
  const home = temporaryHome(t);
  const places = placesOf({ LEO_HOME: home });
  mkdirSync(places.state, { recursive: true, mode: 0o700 });
  const missed = {
    name: 'claude-code',
    version: '1.0.0',
    relisted_at: null,
    missed_at: '2026-12-01T00:00:00.000Z',
  };
  writeFileSync(places.seenHarnesses, JSON.stringify({ harnesses: [missed] }), { mode: 0o600 });
  writeFileSync(places.rememberedTools, '{"tools":["snap"]}', { mode: 0o600 });
  return home;
}

t.test('what was seen holds while no daemon runs', async (t) => {
  const gateway = Gateway.start(t, { home: homeThatSaw(t) });
  t.match(await gateway.initialize('claude-code'), { result: { instructions: /leo_app_call/ } });
  t.strictSame(await gateway.toolNames(), pair);
});

t.test('it holds for that version alone, and less than what the user or the harness says', async (t) => {
  const home = homeThatSaw(t);
  const daemon = await startDaemon(t, { home });
  await startApp(t, daemon.socket, 'demo', [snap]);
  const native = [...own, 'snap'].sort();
  const start = (args: readonly string[] = []) => Gateway.start(t, { home, args });

  const other = start();
  const clientInfo = { name: 'claude-code', version: '1.0.1' };
  await other.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await other.reached();
  t.strictSame(await other.toolNames(), native, 'another version');

  const listening = start();
  const notifications = { toolsListChanged: true };
  listening.send({
    id: 'sub',
    method: 'subscriptions/listen',
    params: { ...envelope('claude-code'), notifications },
  });
  await until(
    'it is acknowledged',
    () => listening.notifications('notifications/subscriptions/acknowledged')[0],
  );
  const listed = await until('the daemon is reached', async () => {
    const answer = await listening.request('tools/list', envelope('claude-code'));
    return JSON.stringify(answer).includes('"snap"') && answer;
  });
  t.match(listed, { result: { tools: native.map((name) => ({ name })) } });

  writeFileSync(placesOf(daemon.env).config, 'harnesses: { claude-code: { tools: native } }\n');
  const told = start();
  await told.initialize('claude-code');
  await told.reached();
  t.strictSame(await told.toolNames(), native, 'leo.yaml says native');
});

t.test('a daemon elsewhere says what it has seen', async (t) => {
  const daemon = await startDaemon(t, { home: homeThatSaw(t) });
  await startApp(t, daemon.socket, 'demo', [snap]);
  const args = ['--url', daemon.http, '--token-file', placesOf(daemon.env).agentToken];
  const gateway = Gateway.start(t, { home: temporaryHome(t), args });
  await gateway.initialize('claude-code');
  await gateway.call('leo_list_agents');
  t.strictSame(await gateway.toolNames(), pair);
});
