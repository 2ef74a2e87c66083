// What a request over HTTP must look like (design 10; access-table.test.ts has who may do what), and that nothing which is sent brings the daemon down.

import { readFileSync } from 'node:fs';
import t from 'tap';
import WebSocket from 'ws';
import { placesOf } from '../../lib/config/paths.js';
import { routes } from '../../lib/wire/routes.js';
import { startDaemon } from '../support/daemon.js';
import { http, post } from '../support/http.js';
import { rawHttp } from '../support/raw-http.js';

t.jobs = 4;

const daemon = await startDaemon(t, { config: 'web: { allowed_hosts: [leo.test] }\n' });
const places = placesOf(daemon.env);
const tokens = {
  operator: readFileSync(places.apiToken, 'utf8').trim(),
  agent: readFileSync(places.agentToken, 'utf8').trim(),
};
const port = new URL(daemon.http).port;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** One request by its lines; `connection: close` and the empty line are added. */
async function lines(at: string, ...head: readonly string[]) {
  return await rawHttp(at, [...head, 'connection: close', '', ''].join('\r\n'));
}

function isEnvelope(body: string): boolean {
  const value: unknown = JSON.parse(body);
  const { ok, error, code } = value as Record<string, unknown>;
  return ok === false && typeof error === 'string' && typeof code === 'string';
}

t.test('the Host of a request over TCP must be ours', async (t) => {
  const auth = `authorization: Bearer ${tokens.operator}`;
  const rows: readonly (readonly [what: string, target: string, hosts: readonly string[], status: number])[] =
    [
      ['the address', '/api/v1/client-tools', [`127.0.0.1:${port}`], 200],
      ['no port', '/api/v1/client-tools', ['127.0.0.1'], 200],
      ['the name', '/api/v1/client-tools', [`localhost:${port}`], 200],
      ['capitals', '/api/v1/client-tools', ['LocalHost'], 200],
      ['IPv6', '/api/v1/client-tools', [`[::1]:${port}`], 200],
      ['an allowed host', '/api/v1/client-tools', [`leo.test:${port}`], 200],
      ['none', '/api/v1/client-tools', [], 403],
      ['an empty one', '/api/v1/client-tools', [''], 403],
      ['two', '/api/v1/client-tools', ['localhost', 'localhost'], 403],
      ['two, the first foreign', '/api/v1/client-tools', ['evil.test', 'localhost'], 403],
      ['a foreign one', '/api/v1/client-tools', ['evil.test'], 403],
      ['a foreign one with our port', '/api/v1/client-tools', [`evil.test:${port}`], 403],
      ['another port', '/api/v1/client-tools', ['localhost:1'], 403],
      ['a dot at the end', '/api/v1/client-tools', ['localhost.'], 403],
      ['a name below', '/api/v1/client-tools', [`localhost.evil.test:${port}`], 403],
      ['a user', '/api/v1/client-tools', ['localhost@evil.test'], 403],
      ['an absolute target', `http://localhost:${port}/api/v1/client-tools`, [`localhost:${port}`], 403],
      ['a foreign absolute target', 'http://evil.test/api/v1/client-tools', [`localhost:${port}`], 403],
    ];
  for (const [what, target, hosts, status] of rows) {
    const answer = await lines(
      daemon.http,
      `GET ${target} HTTP/1.1`,
      ...hosts.map((host) => `host: ${host}`),
      auth,
    );
    t.equal(answer.status, status, what);
    if (status !== 200) t.ok(isEnvelope(answer.body), `${what}: ${answer.body}`);
  }
  const health = await lines(daemon.http, 'GET /health HTTP/1.1', 'host: evil.test');
  t.equal(health.status, 403, 'also where no token is needed');
  const socket = await lines(daemon.socket, 'GET /api/v1/client-tools HTTP/1.1');
  t.equal(socket.status, 200, 'on the socket there is no need of one');
});

t.test('the Origin of a request over TCP, if any, must be ours', async (t) => {
  for (const [origin, status] of [
    [`http://127.0.0.1:${port}`, 200],
    [`http://localhost:${port}`, 200],
    [`http://[::1]:${port}`, 200],
    [`https://leo.test:${port}`, 200],
    ['null', 403],
    ['', 403],
    ['http://evil.test', 403],
    [`http://evil.test:${port}`, 403],
    ['http://localhost:1', 403],
    [`http://localhost.evil.test:${port}`, 403],
    [`http://127.0.0.1:${port}.evil.test`, 403],
    [`http://localhost:${port}@evil.test`, 403],
    [`http://evil.test/http://localhost:${port}`, 403],
    [`ftp://localhost:${port}`, 403],
  ] as const) {
    const answer = await http(daemon.http, '/api/v1/client-tools', {
      headers: { origin, ...bearer(tokens.operator) },
    });
    t.equal(answer.status, status, `Origin: ${origin}`);
  }
});

t.test('a bearer that is none is 401, whatever it is, on TCP and on the socket', async (t) => {
  const { operator } = tokens;
  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${'x'.repeat(10_000)}`,
    `Bearer ${'0'.repeat(64)}`,
    `Bearer ${operator.slice(1)}`,
    `Bearer ${operator}0`,
    `Bearer  ${operator}`,
    `bearer ${operator}`,
    `BEARER ${operator}`,
    `Bearer\t${operator}`,
    `Bearer ${operator}, Bearer ${operator}`,
    `Bearer ${operator.toUpperCase()}`,
    `Basic ${Buffer.from(`leo:${operator}`).toString('base64')}`,
    operator,
    'Bearer töken',
    'Bearer \u00ff\u00fe',
  ]) {
    for (const at of [daemon.http, daemon.socket]) {
      const answer = await rawHttp(
        at,
        Buffer.from(
          `GET /api/v1/client-tools HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: ${authorization}\r\n\r\n`,
          'latin1',
        ),
      );
      t.equal(
        answer.status,
        401,
        `${authorization.slice(0, 30)} on ${at === daemon.http ? 'TCP' : 'the socket'}`,
      );
      t.notMatch(answer.text, operator, 'and the token is not said back');
      t.match(
        answer.text,
        /^www-authenticate: Bearer realm="leo"\r$/im,
        'what is wanted is said as HTTP says it',
      );
    }
  }
  const twice = await lines(
    daemon.http,
    'GET /api/v1/client-tools HTTP/1.1',
    'host: localhost',
    'authorization: Bearer x',
    `authorization: Bearer ${operator}`,
  );
  t.equal(twice.status, 401, 'of two the first counts');
});

t.test('a token in the URL is not read', async (t) => {
  const { operator } = tokens;
  for (const query of [
    `token=${operator}`,
    `access_token=${operator}`,
    `authorization=Bearer%20${operator}`,
  ]) {
    t.equal((await http(daemon.http, `/api/v1/client-tools?${query}`)).status, 401);
    t.equal((await http(daemon.http, `/api/v1/events?${query}`)).status, 401);
  }
  const url = daemon.http.replace('http://', `http://operator:${operator}@`);
  t.equal((await http(url, '/api/v1/client-tools')).status, 401);
});

t.test('an upgrade to the link is checked as a request is', async (t) => {
  const upgrade = async (
    headers: Readonly<Record<string, string>>,
    at = daemon.http,
    path: string = routes.gateway.path,
  ) =>
    await new Promise<number>((resolve) => {
      const url = at.includes('://') ? `${at.replace('http:', 'ws:')}${path}` : `ws+unix:${at}:${path}`;
      const socket = new WebSocket(url, { headers: { ...headers } });
      t.teardown(() => socket.terminate());
      socket.once('open', () => resolve(101));
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.once('error', () => resolve(0));
    });
  t.equal(await upgrade(bearer(tokens.operator)), 101);
  t.equal(await upgrade(bearer(tokens.agent)), 101);
  t.equal(await upgrade({}, daemon.socket), 101);
  t.equal(await upgrade({}), 401);
  t.equal(await upgrade(bearer('0'.repeat(64))), 401);
  t.equal(await upgrade(bearer('0'.repeat(64)), daemon.socket), 401);
  t.equal(await upgrade({}, daemon.http, `${routes.gateway.path}?token=${tokens.agent}`), 401);
  t.equal(await upgrade({ ...bearer(tokens.agent), origin: 'null' }), 403);
  t.equal(await upgrade({ ...bearer(tokens.agent), origin: 'http://evil.test' }), 403);
  t.equal(await upgrade({ ...bearer(tokens.agent), host: 'evil.test' }), 403);
  t.equal(await upgrade(bearer(tokens.operator), daemon.http, '/api/v1/events'), 404);
  t.equal(await upgrade(bearer(tokens.operator), daemon.http, '/'), 404);
  const keyless = await rawHttp(
    daemon.socket,
    `GET ${routes.gateway.path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  );
  t.equal(keyless.status, 400, 'an upgrade without a key');
  t.ok(isEnvelope(keyless.body), keyless.body);
});

t.test('every answer has the envelope, also where there is nothing', async (t) => {
  const auth = bearer(tokens.operator);
  const rows: readonly (readonly [method: string, path: string, status: number])[] = [
    ['GET', '/index.html', 404],
    ['GET', '/api/v1/client-tools/', 404],
    ['GET', '/API/v1/client-tools', 404],
    ['GET', '/metric', 404],
    ['GET', '/api/v1/../../etc/passwd', 404],
    ['GET', '/api/v1/client-tools%2f', 404],
    ['GET', '/%zz', 400],
    ['GET', '/api/v1/client-tools/groups/%', 400],
    ['GET', `/web/agent/${'a'.repeat(3000)}/message`, 404],
    ['POST', '/health', 404],
    ['PUT', '/api/v1/client-tools', 404],
    ['PATCH', '/api/v1/client-tools', 404],
    ['DELETE', '/api/v1/client-tools', 404],
    ['OPTIONS', '/api/v1/client-tools', 404],
    ['TRACE', '/api/v1/client-tools', 404],
    ['PROPFIND', '/api/v1/client-tools', 404],
    ['POST', `/web/agent/${'a'.repeat(3000)}/message`, 400],
    ['GET', '/api/v1/gateway', 400],
    ['GET', '/api/v1/client-tools/requests', 400],
    ['GET', '/api/v1/client-tools/requests?pending=0', 400],
    ['GET', '/api/v1/client-tools/requests?pending=1&pending=1', 400],
    ['GET', '/api/v1/events?client_tools=yes', 400],
    ['GET', '/api/v1/events?client_key=without-tools', 400],
    ['GET', '/api/v1/events?client_tools=1&client_key=short', 400],
  ];
  for (const [method, path, status] of rows) {
    const answer = await lines(
      daemon.http,
      `${method} ${path} HTTP/1.1`,
      'host: localhost',
      `authorization: ${auth.authorization}`,
      'content-length: 0',
    );
    t.equal(answer.status, status, `${method} ${path.slice(0, 60)}`);
    t.ok(isEnvelope(answer.body), answer.body.slice(0, 200));
  }
  for (const path of ['/nowhere', '/%zz']) {
    t.equal((await http(daemon.http, path)).status, 401, `${path}: nobody is told what there is`);
    t.equal((await http(daemon.http, path, { headers: { host: 'evil.test', ...auth } })).status, 403);
  }
});

t.test('only JSON objects are taken as bodies', async (t) => {
  const path = '/api/v1/client-tools';
  const body = JSON.stringify({ client_id: 'c_nobody_at_all', group: 'g', tools: [] });
  const typed = async (type: string | undefined) =>
    (
      await http(daemon.socket, path, {
        method: 'POST',
        body,
        headers: type === undefined ? {} : { 'content-type': type },
      })
    ).body.code;
  for (const good of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
    t.equal(await typed(good), 'unknown_client', good);
  for (const bad of [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'json',
    '',
  ])
    t.equal(await typed(bad), 'invalid_request', `Content-Type: ${bad}`);
  for (const bad of [
    '',
    'null',
    '[]',
    '1',
    '"text"',
    '{',
    '{"client_id":"a"}x',
    '\ufeff{}',
    '{"a":1,}',
    '\0',
  ]) {
    const answer = await post(daemon.socket, path, bad);
    t.match(
      { ...answer },
      { status: 400, body: { ok: false, code: 'invalid_request' } },
      JSON.stringify(bad),
    );
  }
  const nested = `{"client_id":"c_nobody_at_all","group":"g","tools":[{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`;
  t.match((await post(daemon.socket, path, nested)).body, { code: 'unknown_client' });
  const proto = '{"client_id":"c_nobody_at_all","group":"g","tools":[],"__proto__":{"x":1}}';
  t.match((await post(daemon.socket, path, proto)).body, { code: 'invalid_request' });
});

t.test('a body that is refused is refused in words, however much of it is on its way', async (t) => {
  const path = '/api/v1/client-tools';
  const large = 'x'.repeat(40 * 1024 * 1024);
  for (const at of [daemon.http, daemon.socket]) {
    for (const [what, headers, status] of [
      ['too large', bearer(tokens.operator), 413],
      ['of another type', { ...bearer(tokens.operator), 'content-type': 'text/plain' }, 400],
      ['of nobody', bearer('0'.repeat(64)), 401],
      ['of an agent', bearer(tokens.agent), 403],
    ] as const)
      t.equal((await post(at, path, large, headers)).status, status, what);
  }
});

t.test('what is no HTTP is refused in words, and the daemon goes on', async (t) => {
  const rows: readonly (readonly [what: string, pieces: readonly (string | Buffer)[], status: number])[] = [
    ['words', ['hello\r\n\r\n'], 400],
    ['bytes', [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])], 400],
    ['the start of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 400],
    ['a head without end', ['GET / HTTP/1.1\r\nhost: localhost\r\n', `x: ${'x'.repeat(70_000)}`], 413],
    ['two lengths', ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'], 400],
    [
      'a length and chunks',
      ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
      400,
    ],
    ['a length below nothing', ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n'], 400],
    ['a line of a head that is none', ['GET / HTTP/1.1\r\nno colon here\r\n\r\n'], 400],
    ['a control character', ['GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n'], 400],
  ];
  for (const [what, pieces, status] of rows) {
    for (const at of [daemon.http, daemon.socket]) {
      const answer = await rawHttp(at, ...pieces);
      t.equal(answer.status, status, what);
      t.ok(isEnvelope(answer.body), answer.text);
    }
  }
  const behind = await rawHttp(
    daemon.socket,
    'GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n',
    'garbage behind a stream\r\n\r\n',
  );
  t.notMatch(behind.text.slice(20), 'HTTP/1.1', 'a stream is ended, not written into');
  t.equal((await http(daemon.http, '/health')).status, 200);
  t.notMatch(daemon.log(), /error/i, 'none of it is a fault of the daemon');
});
