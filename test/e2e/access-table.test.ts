// Who may do what: the table of docs/operators.md against the module that decides, and against a real daemon, each
// route with each role, with a wrong token and with none, over TCP and on the socket.

import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { type Grant, grantOf } from '../../lib/broker/access/access-table.js';
import { placesOf } from '../../lib/config/paths.js';
import { allRoles, type Role, type Route, routes } from '../../lib/wire/routes.js';
import { type AccessRow, accessPage, titleOf } from '../support/access-page.js';
import { signIn } from '../support/console-session.js';
import { startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http, post } from '../support/http.js';
import { scopedToken } from '../support/scoped-token.js';

const rows = accessPage();
const daemon = await startDaemon(t, {
  config: 'api_clients:\n  docker-scout: { can_message: [rocket, "build-*"] }\n',
});
const places = placesOf(daemon.env);
type Headers = Readonly<Record<string, string>>;
const tokens: Readonly<Record<Exclude<Role, 'console'> | 'wrong', string>> = {
  operator: readFileSync(places.apiToken, 'utf8').trim(),
  agent: readFileSync(places.agentToken, 'utf8').trim(),
  device: scopedToken(places.devices, 'phone'),
  client: scopedToken(places.clients, 'docker-scout'),
  wrong: 'f'.repeat(64),
};
await post(daemon.socket, '/api/v1/reload', {});
const listeners = [
  ['TCP', daemon.http],
  ['the socket', daemon.socket],
] as const;

t.test('the page has every route, and says what the module decides', async (t) => {
  const titles = [...Object.values<Route>(routes).map(titleOf), 'any other path'];
  t.strictSame(rows.map(({ title }) => title).sort(), titles.sort());
  for (const { title, route, cells } of rows) {
    for (const role of allRoles) t.equal(grantOf(route, role), cells[role], `${role} ${title}`);
    t.equal(cells.nobody, route?.roles === 'anyone' || route?.withoutToken ? 'yes' : 'no', `nobody ${title}`);
  }
});

for (const [where, at] of listeners) {
  t.test(`the daemon does what the page says, on ${where}`, async (t) => {
    for (const row of rows) {
      for (const role of allRoles) await holds(t, at, row, role, await shown(role), row.cells[role], 403);
      // On the socket, who shows no token is the operator; who shows a wrong one is nobody anywhere.
      const none = at === daemon.socket ? 'operator' : 'nobody';
      const refusal = none === 'operator' ? 403 : 401;
      await holds(t, at, row, `no token, as ${none},`, {}, row.cells[none], refusal);
      await holds(t, at, row, 'a wrong token', bearer(tokens.wrong), row.cells.nobody, 401);
    }
  });
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** How a role shows who it is; a browser signs in anew each time, since some routes end what it signed in to. */
async function shown(role: Role): Promise<Headers> {
  return role === 'console' ? (await signIn(daemon)).headers : bearer(tokens[role]);
}

/** Asks one route as one caller, in each way that its cell distinguishes. */
async function holds(
  t: Test,
  at: string,
  { title, route }: AccessRow,
  who: string,
  headers: Headers,
  grant: Grant,
  refusal: number,
): Promise<void> {
  const ask = (name: string, query = '') => statusOf(t, at, route, headers, name, query);
  const isIn = async (what: string, status: number) =>
    t.notOk([401, 403, 500, 0].includes(status), `${who} ${title} ${what}: ${status}`);
  const name = 'rocket';
  switch (grant) {
    case 'yes':
      await isIn('', await ask(name));
      if (route === routes.events) await isIn('as an app', await ask(name, '?client_tools=1'));
      if (route === routes.gateway) t.equal(await upgradeStatus(t, at, headers), 101, `${who} ${title}`);
      return;
    case 'to watch':
      await isIn('', await ask(name));
      t.equal(await ask(name, '?client_tools=1'), 403, `${who} ${title} as an app`);
      return;
    case 'named agents':
      await isIn('rocket', await ask(name));
      await isIn('by a glob', await ask('build-7'));
      for (const other of ['builder', 'Rocket', 'rocket-2', 'r*', '%2Frocket', 'rocket%00'])
        t.equal(await ask(other), 403, `${who} ${title} ${other}`);
      return;
    case 'no':
      t.equal(await ask(name), refusal, `${who} ${title}`);
      if (route === routes.events) t.equal(await ask(name, '?client_tools=1'), refusal, `${who} as an app`);
      if (route === routes.gateway) t.equal(await upgradeStatus(t, at, headers), refusal, `${who} upgrade`);
  }
}

/** The status of a route's answer; a stream is closed again. */
async function statusOf(
  t: Test,
  at: string,
  route: Route | undefined,
  headers: Headers,
  name: string,
  query: string,
): Promise<number> {
  if (route === undefined) {
    const statuses: number[] = [];
    for (const [method, path] of [
      ['PUT', '/'],
      ['GET', '/console/a/b'],
      ['GET', '/metrics/'],
      ['GET', '/api/v1/agents/'],
      ['PUT', '/api/v1/agents'],
      ['POST', '/web/agent/rocket/message/'],
      ['GET', '/web/agent/rocket/message'],
      ['POST', '//web/agent/rocket/message'],
    ] as const)
      statuses.push((await http(at, path, { method, headers })).status);
    return statuses.every((status) => status === statuses[0]) ? (statuses[0] ?? 0) : 0;
  }
  if (route === routes.events) {
    const stream = await EventStream.open(t, { at, headers, query });
    stream.close();
    return stream.response.statusCode ?? 0;
  }
  const path = route.path.replace(':name', name).replace(/:\w+/g, 'r_nobody_has');
  const body = route.method === 'POST' ? { body: route === routes.message ? { text: 'x' } : {} } : {};
  return (await http(at, path + query, { method: route.method, headers, ...body })).status;
}

async function upgradeStatus(t: Test, at: string, headers: Headers): Promise<number> {
  const { path } = routes.gateway;
  const url = at.includes('://') ? `${at.replace('http:', 'ws:')}${path}` : `ws+unix:${at}:${path}`;
  const socket = new WebSocket(url, { headers: { ...headers } });
  t.teardown(() => socket.terminate());
  return await new Promise((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    socket.once('error', () => resolve(0));
  });
}
