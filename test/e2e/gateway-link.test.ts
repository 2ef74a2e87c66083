// A gateway and the daemon that is not there, not yet, no longer, or of another kind (design 7, 8).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { connect, type ToolCall } from '../../lib/app/index.js';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { isObject } from '../../lib/wire/json.js';
import { encodeCatalogueTool } from '../../lib/wire/tool.js';
import { catalogueTool } from '../support/catalogue.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { Gateway, textOf } from '../support/gateway.js';
import { StandInDaemon } from '../support/stand-in-daemon.js';
import { until } from '../support/wait.js';

const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const listChanged = 'notifications/tools/list_changed';
const snap = encodeCatalogueTool(catalogueTool('snap'));
t.jobs = 2;

t.test('a daemon that starts later than the gateway is found, and its tools are told of', async (t) => {
  const home = temporaryHome(t);
  const gateway = Gateway.start(t, { home });
  await gateway.initialize();
  t.strictSame(await gateway.toolNames(), own);
  const daemon = await startDaemon(t, { home });
  await startApp(t, daemon.socket, 'demo', [{ name: 'snap', handler: () => 'click' }]);
  await until('the harness is told', () => gateway.notifications(listChanged).length > 0);
  t.strictSame(await gateway.toolNames(), [...own, 'snap']);
  t.equal(textOf(await gateway.call('snap')), 'click');
});

t.test('while the daemon is stopped lists are answered and calls wait', async (t) => {
  const daemon = await startDaemon(t);
  const { app, calls } = await gate(daemon.socket);
  t.teardown(() => app.close());
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  await gateway.reached();
  t.strictSame(await gateway.toolNames(), ['gate', ...own]);
  gateway.send({ id: 1, method: 'tools/call', params: { name: 'gate' } });
  await until('the app is called', () => calls.length === 1);
  daemon.child.kill('SIGSTOP');
  const late = Gateway.start(t, { home: daemon.home });
  await late.initialize();
  t.strictSame(await late.toolNames(), own);
  t.strictSame(await gateway.toolNames(), ['gate', ...own]);
  gateway.send({ id: 2, method: 'tools/call', params: { name: 'gate' } });
  await gateway.request('ping');
  gateway.send({ id: 3, method: 'tools/call', params: { name: 'leo_list_agents' } });
  t.match(await gateway.response(3), {
    result: { isError: true, content: [{ text: /^daemon_unreachable: .*may be stopped/ }] },
  });
  daemon.child.kill('SIGCONT');
  await until('the second call arrives', () => calls.length === 2);
  for (const { answer } of calls) answer('done');
  for (const id of [1, 2]) t.match(await gateway.response(id), { result: { content: [{ text: 'done' }] } });
  await until('the late one is told', () => late.notifications(listChanged).length > 0);
});

t.test('a call outlives kill -9 of the daemon', async (t) => {
  const daemon = await startDaemon(t);
  const { app, calls } = await gate(daemon.socket, 'a-stable-key-of-the-app');
  t.teardown(() => app.close());
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  await gateway.toolNames();
  gateway.send({ id: 1, method: 'tools/call', params: { name: 'gate' } });
  await until('the app is called', () => calls.length === 1);
  await daemon.end('SIGKILL');
  await startDaemon(t, { home: daemon.home });
  calls[0]?.answer('after all');
  t.match(await gateway.response(1), { result: { content: [{ text: 'after all' }] } });
  t.strictSame(gateway.messages.filter(({ id }) => id === 1).length, 1);
  gateway.send({ id: 2, method: 'tools/call', params: { name: 'gate' } });
  await until('a new call arrives', () => calls.length > 1);
  for (const { answer } of calls) answer('again');
  t.match(await gateway.response(2), { result: { content: [{ text: 'again' }] } });
});

t.test('open calls are sent again under their ids, with what is known of them', async (t) => {
  const home = temporaryHome(t);
  const daemon = await StandInDaemon.atHome(t, home, { tools: [snap] });
  const gateway = Gateway.start(t, { home });
  await gateway.initialize();
  await gateway.toolNames();
  gateway.send({ id: 1, method: 'tools/call', params: { name: 'snap', arguments: { a: 1 } } });
  gateway.send({ id: 2, method: 'tools/call', params: { name: 'snap' } });
  await until('both calls came', () => daemon.got('call').length === 2);
  const [first, second] = daemon.got('call');
  t.equal(isObject(first?.params) && 'resume' in first.params, false);
  daemon.send({ method: 'call/claimed', params: { id: first?.id, client_id: 'c_claimant' } });
  await gateway.request('ping');
  await daemon.stop();
  // Cancelled while there is no link to say so on.
  gateway.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  const next = await StandInDaemon.atHome(t, home, { tools: [snap], epoch: 'e2' });
  const [again] = await until('the open call came again', () => {
    const calls = next.got('call');
    return calls.length > 0 && calls;
  });
  t.match(again, {
    id: first?.id,
    params: {
      tool: 'snap',
      arguments: { a: 1 },
      resume: {
        provider: snap.provider,
        keyed: true,
        group: 'demo',
        claimed_by: 'c_claimant',
        remaining_ms: Number,
      },
    },
  });
  t.match(next.got('call/cancel'), [{ params: { id: second?.id } }]);
  const [hello, helloAgain] = [...daemon.got('hello'), ...next.got('hello')];
  t.equal(JSON.stringify(helloAgain), JSON.stringify(hello), 'it is the same session');
  next.send({ id: first?.id, result: { content: [{ type: 'text', text: 'done' }] } });
  t.match(await gateway.response(1), { result: { content: [{ text: 'done' }] } });
  await until('its receipt is told', () => next.got('call/received').length === 1);
  t.match(next.got('call/received'), [{ params: { id: first?.id } }]);
  t.equal(next.got('call').length, 1);
});

t.test('a process that is never asked for anything never becomes an agent', async (t) => {
  const home = temporaryHome(t);
  const daemon = await StandInDaemon.atHome(t, home);
  const gateway = Gateway.start(t, { home });
  await until('it has dialed', () => daemon.links.size === 1);
  gateway.send({ method: 'notifications/initialized' });
  gateway.write('not a request\n');
  await until('it has read that', () => gateway.stderr.includes('not JSON'));
  t.strictSame(daemon.received, []);
  await gateway.request('ping');
  await until('it says hello', () => daemon.got('hello').length === 1);
  await gateway.initialize('opencode');
  await until('it says who it is', () => daemon.got('session/changed').length === 1);
  t.match(daemon.got('session/changed'), [{ params: { harness: { name: 'opencode' }, mode: 'native' } }]);
  gateway.child.stdin.end();
  await until('it says goodbye', () => daemon.got('bye').length === 1);
});

t.test('list_changed comes once for a burst, and at most once a second', async (t) => {
  const home = temporaryHome(t);
  const daemon = await StandInDaemon.atHome(t, home);
  const gateway = Gateway.start(t, { home });
  await gateway.initialize();
  await gateway.toolNames();
  const told = () => gateway.notifications(listChanged).length;
  const start = Date.now();
  for (let n = 0; n < 40; n++) {
    daemon.changeCatalogue([{ ...snap, name: `snap${n}` }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const before = told();
  daemon.changeCatalogue([{ ...snap, name: 'last' }]);
  await until('the last list is told of', () => told() > before);
  t.ok(told() <= 2 + (Date.now() - start) / 1000, `${told()} times in ${Date.now() - start} ms`);
  await until('it is listed', async () => (await gateway.toolNames()).includes('last'));
  const seen = told();
  // What the list does not show is no change of it.
  daemon.changeCatalogue([{ ...snap, name: 'last', timeout_s: 7, group: 'other' }]);
  daemon.changeCatalogue([{ ...snap, name: 'another' }]);
  await until('a change of the list is told of', () => told() > seen);
  t.equal(told(), seen + 1);
});

t.test('a protocol that the daemon does not speak is said in words', async (t) => {
  const home = temporaryHome(t);
  const message = 'the gateway speaks version 1 of the protocol, the daemon version 9';
  const daemon = await StandInDaemon.atHome(t, home, { refusal: { error: { code: -32001, message } } });
  const gateway = Gateway.start(t, { home });
  await gateway.initialize();
  await until('it was greeted', () => daemon.got('hello').length > 0);
  t.strictSame(await gateway.toolNames(), own);
  const result = await gateway.call('leo_list_agents');
  t.match(result, { isError: true, content: [{ text: /^daemon_unreachable: .*daemon version 9.*Restart/ }] });
  t.match(gateway.stderr, /daemon version 9/);
});

t.test('a daemon elsewhere is reached with a token that is in no argument and no URL', async (t) => {
  const { daemon, url } = await StandInDaemon.onTcp(t, { tools: [snap] });
  const home = temporaryHome(t);
  const file = join(home, 'token');
  writeFileSync(file, 'secret\n');
  const gateways = [
    Gateway.start(t, { home, args: ['--url', url, '--token-file', file] }),
    Gateway.start(t, { home, args: ['--url', url], env: { LEO_TOKEN: 'secret' } }),
  ];
  for (const gateway of gateways) {
    await gateway.initialize();
    await until('the tool is there', async () => (await gateway.toolNames()).includes('snap'));
  }
  t.strictSame(daemon.authorizations, ['Bearer secret', 'Bearer secret']);
  const { length } = daemon.received;
  const big = { a: 'é'.repeat(100_000) };
  gateways[0]?.send({ id: 1, method: 'tools/call', params: { name: 'snap', arguments: big } });
  const call = await until('a masked call arrives', () =>
    daemon.received.slice(length).find(({ method }) => method === 'call'),
  );
  t.match(call, { params: { arguments: big } });
});

t.test('a refusal of the token is told', async (t) => {
  const daemon = await startDaemon(t);
  const gateway = Gateway.start(t, {
    home: temporaryHome(t),
    args: ['--url', daemon.http],
    env: { LEO_TOKEN: 'wrong' },
  });
  await gateway.initialize();
  await until('the log says so', () => /HTTP 401/.test(gateway.stderr));
});

t.test('without a daemon the pair is listed if tools are remembered', async (t) => {
  for (const [text, pair] of [
    ['{"tools":["snap"]}', true],
    ['{"tools":[]}', false],
    ['nonsense', false],
  ] as const) {
    const home = temporaryHome(t);
    const places = placesOf({ LEO_HOME: home });
    mkdirSync(places.state);
    writeFileSync(places.rememberedTools, text);
    const gateway = Gateway.start(t, { home });
    await gateway.initialize('codex-mcp-client');
    t.equal((await gateway.toolNames()).includes('leo_app_call'), pair, text);
  }
});

t.test('starts the daemon where there is none, and leaves it behind', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
  const { daemonFile, state } = placesOf({ LEO_HOME: home });
  const env = { LEO_NO_AUTOSTART: '' };
  const gateways = Array.from({ length: 3 }, () => Gateway.start(t, { home, env }));
  t.teardown(async () => {
    const pid = readDaemonFile(daemonFile)?.pid;
    if (pid === undefined) return;
    process.kill(pid, 'SIGTERM');
    await until('the daemon has gone', () => readDaemonFile(daemonFile) === undefined);
  });
  await Promise.all(gateways.map((gateway) => gateway.initialize()));
  for (const gateway of gateways)
    t.match(await gateway.call('leo_list_agents'), { content: [{ text: /"agents"/ }] });
  for (const gateway of gateways) {
    gateway.child.stdin.end();
    t.equal(await gateway.exit(), 0);
  }
  process.kill(readDaemonFile(daemonFile)?.pid ?? 0, 0);
  t.match(
    readFileSync(join(state, 'daemon.log'), 'utf8'),
    /^\d{4}-[\d-]+T[\d:.]+Z ready: /m,
    'with its time',
  );
});

t.test('leo.yaml has the last word on a harness, and on starting a daemon', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(
    join(home, 'leo.yaml'),
    'daemon: { autostart: false }\nharnesses: { mine: { tools: native } }\n',
  );
  const daemon = await StandInDaemon.atHome(t, home, { tools: [snap] });
  const gateway = Gateway.start(t, { home, env: { LEO_NO_AUTOSTART: '' } });
  await gateway.initialize('mine');
  await until('the daemon is reached', async () => (await gateway.toolNames()).includes('snap'));
  t.strictSame(await gateway.toolNames(), [...own, 'snap']);
  const forced = Gateway.start(t, { home, args: ['--harness', 'codex-mcp-client'] });
  await forced.initialize('claude-code');
  await until('the daemon is reached', async () => (await forced.toolNames()).includes('leo_app_call'));
  t.strictSame(await forced.toolNames(), ['leo_app_call', 'leo_app_tools', ...own]);
  await daemon.stop();
});

async function gate(socket: string, clientKey?: string) {
  const calls: { call: ToolCall; answer: (text: string) => void }[] = [];
  const app = await connect({ socket, ...(clientKey === undefined ? {} : { clientKey }) });
  const handler = (call: ToolCall) => new Promise<string>((answer) => calls.push({ call, answer }));
  await app.offer('demo', [{ name: 'gate', handler }]);
  return { app, calls };
}
