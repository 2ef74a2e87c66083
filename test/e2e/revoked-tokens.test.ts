// A token that is taken away while something is open with it: streams and links end at once, what an app offered is
// withdrawn at once, and nobody else notices.

import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { placesOf } from '../../lib/config/paths.js';
import { routes } from '../../lib/wire/routes.js';
import { type RunningDaemon, startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { scopedToken } from '../support/scoped-token.js';
import { until } from '../support/wait.js';

t.jobs = 3;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tool = (name: string) => ({ name, input_schema: { type: 'object' }, timeout_s: 0 });

async function withDevices(t: Test, ...names: readonly string[]) {
  const daemon = await startDaemon(t);
  const { devices } = placesOf(daemon.env);
  const tokens = names.map((name) => scopedToken(devices, name));
  await reload(daemon);
  return { daemon, tokens, path: (name: string) => join(devices, `${name}.token`) };
}

async function reload(daemon: RunningDaemon): Promise<readonly string[]> {
  const { status, body } = await post(daemon.socket, '/api/v1/reload', {});
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body.data as { warnings: readonly string[] }).warnings;
}

async function offered(daemon: RunningDaemon): Promise<string> {
  return JSON.stringify((await http(daemon.socket, '/api/v1/client-tools')).body);
}

t.test('a device that is removed loses its streams, its tools and its calls at once', async (t) => {
  const { daemon, tokens, path } = await withDevices(t, 'phone', 'pad');
  const [phone = '', pad = ''] = tokens;
  const app = await EventStream.app(t, daemon.http, 'the-key-of-the-phone', bearer(phone));
  const watcher = await EventStream.open(t, { at: daemon.http, headers: bearer(phone) });
  const other = await EventStream.app(t, daemon.http, 'the-key-of-the-pad', bearer(pad));
  const local = await EventStream.open(t, { at: daemon.socket });
  for (const [client, token, name] of [
    [app, phone, 'shoot'],
    [other, pad, 'draw'],
  ] as const) {
    const body = { client_id: client.clientId, group: 'g', tools: [tool(name)] };
    t.equal((await post(daemon.http, '/api/v1/client-tools', body, bearer(token))).status, 200);
  }
  const agent = await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  agent.park('r_shoot_0001', 'shoot', {});
  await app.stream.next('client_tool.request', 'r_shoot_0001');
  const claim = '/api/v1/client-tools/requests/r_shoot_0001/claim';
  t.equal((await post(daemon.http, claim, { client_id: app.clientId }, bearer(phone))).status, 200);

  rmSync(path('phone'));
  await reload(daemon);
  await until('its streams end', () => app.stream.ended && watcher.ended);
  const answer = await agent.response('r_shoot_0001');
  t.match(JSON.stringify(answer), 'no_client', 'a handoff does not wait for who cannot come back');
  t.notMatch(await offered(daemon), 'shoot', 'no grace for who cannot come back');
  t.match(await offered(daemon), 'draw');
  await other.stream.find(
    'the change',
    ({ event, data }) => event === 'client_tools.changed' && !JSON.stringify(data).includes('shoot'),
  );
  t.notOk(other.stream.ended);
  t.notOk(local.ended);
  const result = '/api/v1/client-tools/requests/r_shoot_0001/result';
  const body = { client_id: app.clientId, ok: true, content: [{ type: 'text', text: 'x' }] };
  t.equal((await post(daemon.http, result, body, bearer(phone))).status, 401);
  const back = await EventStream.open(t, {
    at: daemon.http,
    headers: bearer(phone),
    query: '?client_tools=1',
  });
  t.equal(back.response.statusCode, 401);
});

t.test('an app of a removed device that is away is not waited for', async (t) => {
  const { daemon, tokens, path } = await withDevices(t, 'phone');
  const [phone = ''] = tokens;
  const app = await EventStream.app(t, daemon.http, 'the-key-of-the-phone', bearer(phone));
  const body = { client_id: app.clientId, group: 'g', tools: [tool('shoot')] };
  await post(daemon.http, '/api/v1/client-tools', body, bearer(phone));
  app.stream.close();
  await until('it is away', async () => (await offered(daemon)).includes('"connected":false'));
  rmSync(path('phone'));
  await reload(daemon);
  t.notMatch(await offered(daemon), 'shoot');
});

t.test('a handoff ends with the token of the device that it has long waited for', async (t) => {
  const daemon = await startDaemon(t, { config: 'client_tools: { reconnect_grace_s: 0.2 }\n' });
  const { devices } = placesOf(daemon.env);
  const phone = scopedToken(devices, 'phone');
  await reload(daemon);
  const app = await EventStream.app(t, daemon.http, 'the-key-of-the-phone', bearer(phone));
  const body = { client_id: app.clientId, group: 'g', tools: [tool('shoot')] };
  await post(daemon.http, '/api/v1/client-tools', body, bearer(phone));
  const agent = await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  agent.park('r_shoot_0001', 'shoot', {});
  await app.stream.next('client_tool.request', 'r_shoot_0001');
  app.stream.close();
  await until('its tools are gone', async () => !(await offered(daemon)).includes('shoot'));
  const other = await EventStream.open(t, { at: daemon.socket });
  other.close();
  const calls = async () =>
    JSON.stringify((await http(daemon.socket, '/api/v1/client-tools/requests?pending=1')).body);
  t.match(await calls(), 'r_shoot_0001', 'it waits');
  rmSync(join(devices, 'phone.token'));
  await reload(daemon);
  t.match(JSON.stringify(await agent.response('r_shoot_0001')), 'no_client');
  t.notMatch(await calls(), 'r_shoot_0001');
});

t.test(
  'a token that is changed ends what was opened with the old one, and the new one comes in',
  async (t) => {
    const { daemon, tokens } = await withDevices(t, 'phone');
    const [old = ''] = tokens;
    const { stream } = await EventStream.app(t, daemon.http, 'the-key-of-the-phone', bearer(old));
    await reload(daemon);
    t.notOk(stream.ended, 'a reload by itself ends nothing');
    const renewed = scopedToken(placesOf(daemon.env).devices, 'phone');
    await reload(daemon);
    await until('the stream ends', () => stream.ended);
    t.equal((await http(daemon.http, '/api/v1/client-tools', { headers: bearer(old) })).status, 401);
    await EventStream.app(t, daemon.http, 'the-key-of-the-phone', bearer(renewed));
  },
);

t.test('a device token whose file cannot be believed any more ends, and the mend is said', async (t) => {
  const { daemon, tokens, path } = await withDevices(t, 'loose', 'empty', 'link');
  const streams: EventStream[] = [];
  for (const token of tokens)
    streams.push((await EventStream.app(t, daemon.http, undefined, bearer(token))).stream);
  chmodSync(path('loose'), 0o644);
  writeFileSync(path('empty'), '');
  rmSync(path('link'));
  symlinkSync(path('loose'), path('link'));
  const said = (await reload(daemon)).join('\n');
  await until('their streams end', () => streams.every(({ ended }) => ended));
  t.match(said, /counts as taken away: .*loose\.token can be read by others .*chmod 600/);
  t.match(said, /empty\.token holds no token/);
  t.match(said, /link\.token is a link/);
  for (const token of tokens) {
    t.equal((await http(daemon.http, '/api/v1/client-tools', { headers: bearer(token) })).status, 401);
    t.notMatch(daemon.log(), token);
  }
});

t.test(
  'a new operator or agent token ends what the old one has open over TCP, and nothing on the socket',
  async (t) => {
    const daemon = await startDaemon(t);
    const places = placesOf(daemon.env);
    const [operator, agent] = [places.apiToken, places.agentToken].map((path) =>
      readFileSync(path, 'utf8').trim(),
    );
    const stream = await EventStream.open(t, { at: daemon.http, headers: bearer(operator ?? '') });
    const local = await EventStream.open(t, { at: daemon.socket });
    const link = new WebSocket(`${daemon.http.replace('http', 'ws')}${routes.gateway.path}`, {
      headers: bearer(agent ?? ''),
    });
    t.teardown(() => link.terminate());
    link.on('error', () => undefined);
    await until('the link is open', () => link.readyState === WebSocket.OPEN);
    const own = await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
    for (const path of [places.apiToken, places.agentToken]) rmSync(path);
    process.kill(daemon.pid, 'SIGHUP');
    await until('they end', () => stream.ended && link.readyState === WebSocket.CLOSED);
    t.notOk(local.ended);
    t.equal(own.webSocket.readyState, WebSocket.OPEN);
    const renewed = readFileSync(places.apiToken, 'utf8').trim();
    t.not(renewed, operator);
    t.equal((await http(daemon.http, '/api/v1/agents', { headers: bearer(renewed) })).status, 200);
    t.equal((await http(daemon.http, '/api/v1/agents', { headers: bearer(operator ?? '') })).status, 401);
  },
);
