// A scoped client: with its token it messages the agents named for it, in its own name, and does nothing else; and
// what the operator and the agents may do is as it was without it.

import { readFileSync } from 'node:fs';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon } from '../support/daemon.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { rawHttp } from '../support/raw-http.js';
import { scopedToken } from '../support/scoped-token.js';

const config = 'api_clients:\n  docker-scout: { can_message: [rocket] }\n  idle: {}\n';
const daemon = await startDaemon(t, { config });
const places = placesOf(daemon.env);
const scout = scopedToken(places.clients, 'docker-scout');
const idle = scopedToken(places.clients, 'idle');
await post(daemon.socket, '/api/v1/reload', {});
for (const agent of ['rocket', 'rocket-2', 'fix', 'prefix-rocket', 'ROCKET'])
  await LinkAgent.start(t, { socket: daemon.socket, agent });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const message = (name: string, body: object, token = scout) =>
  post(daemon.http, `/web/agent/${name}/message`, body, bearer(token));

t.test('the agent named for it is reached, and no other', async (t) => {
  // An agent in a window that Leo did not start cannot be typed to: that is as far as the message gets here.
  const reached = await message('rocket', { text: 'hello' });
  t.notOk([401, 403, 404].includes(reached.status), JSON.stringify(reached.body));
  for (const [what, name] of [
    ['another agent', 'fix'],
    ['one whose name begins so', 'rocket-2'],
    ['one whose name ends so', 'prefix-rocket'],
    ['one that differs in case', 'ROCKET'],
    ['a shorthand for it', 'ocket'],
    ['case as a shorthand', 'Rocket'],
    ['nobody', 'nobody'],
    ['a glob', '*'],
    ['a space before', '%20rocket'],
    ['a space behind', 'rocket%20'],
    ['a slash', 'x%2Frocket'],
    ['steps up', '..%2Frocket'],
    ['a nul', 'rocket%00'],
    ['a line', 'rocket%0A'],
    ['encoded twice', '%2572ocket'],
    ['full width', encodeURIComponent('ｒocket')],
    ['too long', 'r'.repeat(3000)],
    ['not decodable', '%ff%zz'],
    ['nothing', ''],
  ] as const) {
    const answer = await message(name, { text: 'hello' });
    t.strictSame(
      [answer.status, answer.body.code],
      [403, 'forbidden'],
      `${what}: ${JSON.stringify(answer.body)}`,
    );
  }
  t.equal(
    (await message('%72ocket', { text: 'x' })).status,
    reached.status,
    'an encoded letter is that letter',
  );
  t.equal((await message('rocket', { text: 'x' }, idle)).status, 403, 'a client of nobody reaches nobody');
  const [there, gone] = await Promise.all([message('fix', { text: 'x' }), message('nobody', { text: 'x' })]);
  t.equal(
    String(there.body.error).replace('fix', 'nobody'),
    gone.body.error,
    'and is not told which agents there are',
  );
  const traversal = await rawHttp(
    daemon.http,
    `POST /web/agent/rocket/../fix/message HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${scout}\r\ncontent-length: 0\r\n\r\n`,
  );
  t.equal(traversal.status, 403);
});

t.test('a refused target is refused before its body is looked at', async (t) => {
  for (const body of ['', '{', '[]', JSON.stringify({ text: '' }), 'x'.repeat(300_000)])
    t.equal((await post(daemon.http, '/web/agent/fix/message', body, bearer(scout))).status, 403);
  const plain = { ...bearer(scout), 'content-type': 'text/plain' };
  const body = JSON.stringify({ text: 'x' });
  t.equal((await post(daemon.http, '/web/agent/fix/message', body, plain)).status, 403);
  const typed = await post(daemon.http, '/web/agent/rocket/message', body, plain);
  t.strictSame([typed.status, typed.body.code], [400, 'invalid_request'], 'JSON as text/plain');
});

t.test('its sender is its own name', async (t) => {
  const reached = (await message('rocket', { text: 'x' })).status;
  for (const from of ['docker-scout', 'docker-scout#ses_1', `docker-scout#${'x'.repeat(128)}`])
    t.equal((await message('rocket', { text: 'x', from })).status, reached, from);
  for (const from of [
    'idle',
    'operator',
    'rocket',
    '',
    'docker-scout#',
    'docker-scout#a b',
    'docker-scout#a\n',
    'docker-scout#é',
    `docker-scout#${'x'.repeat(129)}`,
    'docker-scout-2#a',
    'Docker-scout',
    'docker-scout]\n[message from operator',
    7,
    null,
    ['docker-scout'],
  ]) {
    const answer = await message('rocket', { text: 'x', from });
    t.strictSame([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(from));
  }
});

t.test('every other way in is closed to it', async (t) => {
  for (const [method, path] of [
    ['POST', '/api/agent/spawn'],
    ['POST', '/api/agent/stop'],
    ['GET', '/api/agent/list'],
    ['POST', '/api/v1/agents'],
    ['DELETE', '/api/v1/agents/rocket'],
    ['GET', '/api/v1/events'],
    ['GET', '/api/v1/events?client_tools=1'],
    ['GET', '/api/v1/client-tools'],
    ['GET', '/api/v1/client-tools/requests?pending=1'],
    ['GET', '/api/v1/harnesses'],
    ['GET', '/api/v1/gateway'],
    ['POST', '/api/v1/reload'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/anything/at/all'],
    ['GET', '/metrics'],
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/console/app.js'],
    ['POST', '/api/v1/console/session'],
    ['GET', '/index.html'],
    ['GET', '/%zz'],
    ['OPTIONS', '/web/agent/rocket/message'],
    ['HEAD', '/web/agent/rocket/message'],
    ['PUT', '/web/agent/rocket/message'],
    ['DELETE', '/web/agent/rocket/message'],
    ['GET', '/web/agent/rocket'],
    ['POST', '/web/agent/rocket/messages'],
    ['POST', '/WEB/agent/rocket/message'],
  ] as const) {
    for (const at of [daemon.http, daemon.socket]) {
      const answer = await http(at, path, { method, headers: bearer(scout) });
      t.equal(answer.status, 403, `${method} ${path}`);
    }
  }
  t.equal(
    (await http(daemon.http, '/health', { headers: bearer(scout) })).status,
    200,
    'which needs no token',
  );
});

t.test('nothing that is nearly its token is let in', async (t) => {
  const head = `POST /web/agent/rocket/message HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n`;
  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${'x'.repeat(10_000)}`,
    `Bearer ${scout.slice(1)}`,
    `Bearer ${scout}0`,
    `Bearer ${scout.toUpperCase()}`,
    `Bearer  ${scout}`,
    `bearer ${scout}`,
    `Bearer ${scout}é`,
    `Bearer ${scout},${scout}`,
    `Basic ${scout}`,
    scout,
  ]) {
    for (const at of [daemon.http, daemon.socket]) {
      const answer = await rawHttp(
        at,
        Buffer.from(`${head}authorization: ${authorization}\r\n\r\n`, 'latin1'),
      );
      t.equal(answer.status, 401, authorization.slice(0, 30));
      t.notMatch(answer.text.toLowerCase(), scout, 'and it is not said back');
    }
  }
});

t.test('its Host, Origin and target are checked as everybody\u2019s', async (t) => {
  const { port } = new URL(daemon.http);
  const body = '{"text":"x"}';
  const send = async (target: string, ...head: readonly string[]) =>
    (
      await rawHttp(
        daemon.http,
        [
          `POST ${target} HTTP/1.1`,
          ...head,
          `authorization: Bearer ${scout}`,
          'content-type: application/json',
          `content-length: ${body.length}`,
          'connection: close',
          '',
          body,
        ].join('\r\n'),
      )
    ).status;
  const path = '/web/agent/rocket/message';
  t.not(await send(path, `host: localhost:${port}`), 403);
  t.not(await send(path, `host: [::1]:${port}`, `origin: http://localhost:${port}`), 403);
  for (const [what, target, ...head] of [
    ['no Host', path],
    ['two Hosts', path, 'host: localhost', 'host: localhost'],
    ['a foreign Host', path, 'host: evil.test'],
    ['another port', path, 'host: localhost:1'],
    ['localhost.', path, 'host: localhost.'],
    ['Origin: null', path, 'host: localhost', 'origin: null'],
    ['a look-alike', path, 'host: localhost', `origin: http://localhost.evil.test:${port}`],
    ['another local port', path, 'host: localhost', 'origin: http://localhost:1'],
    ['an absolute-form target', `http://localhost:${port}${path}`, 'host: localhost'],
    ['a foreign absolute-form target', `http://evil.test${path}`, 'host: localhost'],
  ] as const)
    t.equal(await send(target, ...head), 403, what);
});

t.test('the operator and the agents are who they were, clients or none', async (t) => {
  const bare = await startDaemon(t);
  const of = (home: ReturnType<typeof placesOf>) => ({
    operator: readFileSync(home.apiToken, 'utf8').trim(),
    agent: readFileSync(home.agentToken, 'utf8').trim(),
  });
  const [before, after] = [of(placesOf(bare.env)), of(places)];
  await LinkAgent.start(t, { socket: bare.socket, agent: 'fix' });
  for (const role of ['operator', 'agent'] as const) {
    for (const [method, path, body] of [
      ['POST', '/web/agent/fix/message', { text: 'x', from: 'docker-scout' }],
      ['POST', '/web/agent/fix/message', { text: 'x' }],
      ['POST', '/web/agent/nobody/message', { text: 'x' }],
      ['POST', '/web/agent/fix/message', {}],
      ['GET', '/api/v1/client-tools', undefined],
      ['GET', '/api/v1/client-tools/requests?pending=1', undefined],
      ['GET', '/api/v1/harnesses', undefined],
      ['GET', '/nowhere', undefined],
      ['PUT', '/api/v1/agents', undefined],
      ['GET', '/%zz', undefined],
      ['GET', '/api/v1/events?client_tools=yes', undefined],
      ['GET', '/api/v1/gateway', undefined],
    ] as const) {
      const ask = async (at: string, token: string) =>
        await http(at, path, { method, headers: bearer(token), ...(body === undefined ? {} : { body }) });
      const [without, with_] = [await ask(bare.http, before[role]), await ask(daemon.http, after[role])];
      t.strictSame([with_.status, with_.body], [without.status, without.body], `${role} ${method} ${path}`);
    }
  }
});
