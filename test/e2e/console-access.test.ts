// Who gets in with a session of the console, and who does not: other pages of this machine, above all, since their
// browser sends them our cookie.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { newCode, signIn } from '../support/console-session.js';
import { startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { rawHttp } from '../support/raw-http.js';
import { until } from '../support/wait.js';

const daemon = await startDaemon(t);
const path = '/api/v1/agents';
const { port } = new URL(daemon.http);

t.test('a session counts with both halves, and from no page but ours', async (t) => {
  const { cookie, csrf, headers } = await signIn(daemon);
  const [name = ''] = cookie.split('=');
  const other = await signIn(daemon);
  const rows: readonly (readonly [
    what: string,
    headers: Readonly<Record<string, string>>,
    status: number,
  ])[] = [
    ['both', headers, 200],
    ['both, from our page', { ...headers, origin: daemon.http, 'sec-fetch-site': 'same-origin' }, 200],
    ['among other cookies', { ...headers, cookie: `a=1; ${cookie}; b=2` }, 200],
    [
      'behind one that was put before it',
      { ...headers, cookie: `${name}=${'A'.repeat(43)}; ${cookie}` },
      200,
    ],
    ['the cookie alone', { cookie }, 401],
    ['the header alone', { 'x-leo-console': csrf }, 401],
    ['an empty header', { cookie, 'x-leo-console': '' }, 401],
    ['halves of two sessions', { cookie, 'x-leo-console': other.csrf }, 401],
    ['the cookie as the header', { cookie, 'x-leo-console': cookie.slice(name.length + 1) }, 401],
    ['the name for another port', { ...headers, cookie: cookie.replace(name, 'leo_console_1') }, 401],
    ['a session that somebody chose', { cookie: `${name}=${csrf}`, 'x-leo-console': csrf }, 401],
    ['ours behind many', { ...headers, cookie: `${`${name}=${'B'.repeat(43)}; `.repeat(50)}${cookie}` }, 401],
    ['another port of this machine', { ...headers, origin: 'http://127.0.0.1:1' }, 403],
    ['another name of this machine', { ...headers, origin: `http://localhost:${port}` }, 403],
    ['a site', { ...headers, origin: 'https://example.org' }, 403],
    ['no origin at all', { ...headers, origin: 'null' }, 403],
    ['a page beside ours, without an Origin', { ...headers, 'sec-fetch-site': 'same-site' }, 403],
    ['a page elsewhere, without an Origin', { ...headers, 'sec-fetch-site': 'cross-site' }, 403],
    ['a bearer that nobody has, beside it', { ...headers, authorization: `Bearer ${csrf}` }, 401],
  ];
  for (const [what, shown, status] of rows) {
    t.equal((await http(daemon.http, path, { headers: shown })).status, status, what);
    if (status === 200) continue;
    const query = '?client_tools=1';
    const stream = await EventStream.open(t, { at: daemon.http, query, headers: shown });
    t.equal(stream.response.statusCode, status, `${what}, for a stream`);
  }
});

t.test('nothing is done for a form or a link of another page', async (t) => {
  const { cookie, headers } = await signIn(daemon);
  await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  const message = '/web/agent/rocket/message';
  const text = JSON.stringify({ text: 'hello' });
  for (const [what, type, shown] of [
    ['a form with the cookie', 'text/plain', { cookie }],
    ['a form with the cookie', 'application/x-www-form-urlencoded', { cookie }],
    ['JSON with the cookie', 'application/json', { cookie }],
  ] as const) {
    const answer = await post(daemon.http, message, text, { ...shown, 'content-type': type });
    t.equal(answer.status, 401, `${what}, as ${type}`);
  }
  const typed = await post(daemon.http, message, text, { ...headers, 'content-type': 'text/plain' });
  t.equal(typed.status, 400, 'with both halves, but no JSON');
  const preflight = await http(daemon.http, message, {
    method: 'OPTIONS',
    headers: { origin: daemon.http, 'access-control-request-headers': 'x-leo-console' },
  });
  t.equal(preflight.headers['access-control-allow-origin'], undefined);
  for (const header of ['x-leo-console', 'cookie']) {
    const upgrade = await rawHttp(
      daemon.http,
      `GET /api/v1/gateway HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\ncookie: ${cookie}\r\n${header === 'cookie' ? '' : `x-leo-console: ${headers['x-leo-console']}\r\n`}\r\n`,
    );
    t.ok([401, 403].includes(upgrade.status), `a WebSocket with its ${header}: ${upgrade.status}`);
  }
});

t.test('a link signs in once', async (t) => {
  const [first, second] = await Promise.all([newCode(daemon), newCode(daemon)]);
  const use = (code: string, headers = {}) => post(daemon.http, '/api/v1/console/session', { code }, headers);
  t.equal((await use(first, { origin: 'http://127.0.0.1:1' })).status, 403, 'from another port');
  t.equal((await use(first, { 'sec-fetch-site': 'cross-site' })).status, 403, 'from another site');
  const both = await Promise.all([use(first), use(first)]);
  t.strictSame(both.map(({ status }) => status).sort(), [200, 401]);
  const fresh = await use(second);
  t.equal(fresh.status, 200, 'two links may be out at once');
  t.match(fresh.headers['set-cookie'], [
    /^leo_console_\d+=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
  ]);
  t.equal(fresh.headers['cache-control'], 'no-store');
  // Whoever guesses spoils the links that are out, and learns nothing.
  const spoilt = await newCode(daemon);
  for (let i = 0; i < 64; i++) t.equal((await use('x'.repeat(43))).status, 401);
  t.equal((await use(spoilt)).status, 401);
  t.equal((await use(await newCode(daemon))).status, 200, 'the next link works');
});

t.test('signing out ends the streams at once, and its app is gone', async (t) => {
  const { headers } = await signIn(daemon);
  const query = '?client_tools=1&client_key=console-of-a-test';
  const stream = await EventStream.open(t, { at: daemon.http, query, headers });
  const hello = await stream.next('hello');
  const { client_id } = hello.data as { client_id: string };
  const tools = [{ name: 'ask_human', description: 'asks', input_schema: { type: 'object' }, timeout_s: 0 }];
  const offered = await post(daemon.http, '/api/v1/client-tools', { client_id, group: 'g', tools }, headers);
  t.equal(offered.status, 200, JSON.stringify(offered.body));
  const out = await http(daemon.http, '/api/v1/console/session', { method: 'DELETE', headers });
  t.equal(out.status, 200);
  t.match(out.headers['set-cookie'], [/=; .*Max-Age=0$/]);
  await until('its stream has ended', () => stream.ended);
  t.equal((await http(daemon.http, path, { headers })).status, 401);
  await until('its tools are withdrawn', async () => {
    const { body } = await http(daemon.socket, '/api/v1/client-tools');
    return !JSON.stringify(body).includes('ask_human');
  });
});

t.test('what the console may not do is 403', async (t) => {
  const { headers } = await signIn(daemon);
  for (const [method, path] of [
    ['POST', '/api/v1/agents'],
    ['DELETE', '/api/v1/agents/rocket'],
    ['POST', '/api/v1/reload'],
    ['POST', '/api/v1/console/links'],
    ['DELETE', '/api/v1/console/sessions'],
    ['GET', '/api/v1/harnesses'],
    ['GET', '/api/agent/list'],
    ['GET', '/nowhere'],
  ] as const)
    t.equal((await http(daemon.http, path, { method, headers })).status, 403, `${method} ${path}`);
  const from = await post(daemon.http, '/web/agent/x/message', { text: 'a', from: 'operator' }, headers);
  t.match(from, { status: 400, body: { error: /at \$\.from: must be "console"/ } });
});

t.test('the page itself is anyone’s, holds no data, and may load nothing from elsewhere', async (t) => {
  const page = await http(daemon.http, '/');
  t.equal(page.status, 200);
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  t.notMatch(policy, /unsafe|\*|http/);
  t.match(page.headers, {
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  const html = String(page.body.unparsed);
  const script = /src="(\/console\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  t.notMatch(html, /<script>|style=|(src|href)="https?:/);
  const asked = await http(daemon.http, script, { method: 'HEAD' });
  t.match(asked, { status: 200, headers: { 'cache-control': /immutable/ }, body: {} });
  const packed = await http(daemon.http, script, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br, gzip' },
  });
  t.equal(packed.headers['content-encoding'], 'br');
  t.ok(Number(packed.headers['content-length']) < Number(asked.headers['content-length']));
  const files = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, file]) => file ?? '');
  t.ok(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css')), html);
  let firstView = Number(page.headers['content-length']);
  for (const file of files) {
    const { headers } = await http(daemon.http, file, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    });
    firstView += Number(headers['content-length']);
  }
  t.ok(firstView < 60 * 1024, `the first view takes ${firstView} bytes, compressed`);
  const etag = String(page.headers.etag);
  t.equal((await http(daemon.http, '/', { headers: { 'if-none-match': etag } })).status, 304);
  for (const strange of [
    '/console/..%2f..%2fpackage.json',
    '/console/index.html.br',
    '/console/',
    '/console/%2e%2e',
  ])
    t.ok([401, 404].includes((await http(daemon.http, strange)).status), strange);
  t.equal((await http(daemon.http, '/', { headers: { host: 'example.org' } })).status, 403);
});

t.test(
  'a restart of the daemon signs nobody out, and a file that others could write signs everybody out',
  async (t) => {
    const first = await startDaemon(t);
    const { headers } = await signIn(first);
    const file = placesOf(first.env).consoleSessions;
    t.equal(statSync(file).mode & 0o777, 0o600);
    for (const secret of [headers.cookie?.split('=')[1] ?? 'none', headers['x-leo-console'] ?? 'none'])
      t.notOk(readFileSync(file, 'utf8').includes(secret), 'kept as hashes');
    await first.end();
    const again = await startDaemon(t, { home: first.home, args: ['--port', new URL(first.http).port] });
    t.equal((await http(again.http, path, { headers })).status, 200);
    await again.end();
    writeFileSync(file, '{"sessions": 7}');
    const broken = await startDaemon(t, { home: first.home, args: ['--port', new URL(first.http).port] });
    t.equal((await http(broken.http, path, { headers })).status, 401);
    t.match(broken.log(), /console\.json holds no sessions; every browser signs in to the console anew/);
  },
);
