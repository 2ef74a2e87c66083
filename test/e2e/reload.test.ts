// leo.yaml read again by a daemon that runs: what cannot be used is named with its line and changes nothing, by
// SIGHUP and by the route; tokens count all the same.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { http, post } from '../support/http.js';
import { startToEnd } from '../support/refused-start.js';
import { scopedToken } from '../support/scoped-token.js';
import { until } from '../support/wait.js';

const good = 'web: { allowed_hosts: [leo.test] }\napi_clients:\n  scout: { can_message: [rocket] }\n';
const bad: readonly (readonly [what: string, text: string, says: string])[] = [
  ['a syntax error', 'web: {\nport: 1\n', 'leo.yaml line'],
  ['a tab as an indent', 'web:\n\tport: 1\n', 'leo.yaml line 2'],
  ['a key twice', `${good}web: {}\n`, 'leo.yaml line 4: '],
  ['an unknown key', `${good}wob: 1\n`, 'leo.yaml line 4: unknown key `wob`'],
  ['an unknown key below', 'web:\n  prot: 1\n', 'leo.yaml line 2: unknown key `web.prot`'],
  ['a wrong type', 'web:\n  port: many\n', 'leo.yaml line 2: web.port must be integer'],
  [
    'a wrong type of a list',
    'api_clients:\n  scout:\n    can_message: rocket\n',
    'line 3: api_clients.scout.can_message must be array',
  ],
  ['a name that is a path', 'api_clients:\n  ../scout: {}\n', 'line 2: `api_clients.../scout` is no name'],
  ['no map at all', 'just words\n', 'leo.yaml line 1: the file must be object or null'],
];

t.test('a running daemon keeps its settings, whatever is written into leo.yaml', async (t) => {
  const daemon = await startDaemon(t, { config: good });
  const places = placesOf(daemon.env);
  const scout = scopedToken(places.clients, 'scout');
  const phone = scopedToken(places.devices, 'phone');
  await post(daemon.socket, '/api/v1/reload', {});
  const asClient = { authorization: `Bearer ${scout}` };
  const settings = async () => [
    (await http(daemon.http, '/health', { headers: { host: 'leo.test' } })).status,
    (await post(daemon.http, '/web/agent/rocket/message', { text: 'x' }, asClient)).status,
    (await post(daemon.http, '/web/agent/other/message', { text: 'x' }, asClient)).status,
  ];
  t.strictSame(await settings(), [200, 404, 403]);
  for (const [what, text, says] of bad) {
    writeFileSync(places.config, text);
    const answer = await post(daemon.socket, '/api/v1/reload', {});
    t.strictSame([answer.status, answer.body.code], [409, 'invalid_config'], what);
    t.ok(String(answer.body.error).includes(says), `${what}: ${answer.body.error}`);
    t.strictSame(await settings(), [200, 404, 403], `${what}: nothing changes`);
  }
  const words = `leo.yaml is not taken over, the old settings stay: ${places.config} line`;
  t.ok(daemon.log().includes(words), 'the log has it');

  writeFileSync(places.config, 'wob: 1\n');
  const seen = daemon.log().split('not taken over').length;
  process.kill(daemon.pid, 'SIGHUP');
  await until('the log says so', () => daemon.log().split('not taken over').length > seen);
  t.strictSame(await settings(), [200, 404, 403], 'nor by SIGHUP');

  rmSync(places.config);
  mkdirSync(places.config);
  t.equal((await post(daemon.socket, '/api/v1/reload', {})).status, 409, 'a folder');
  rmSync(join(places.devices, 'phone.token'));
  await post(daemon.socket, '/api/v1/reload', {});
  const headers = { authorization: `Bearer ${phone}` };
  t.equal(
    (await http(daemon.http, '/api/v1/client-tools', { headers })).status,
    401,
    'a token that is gone is out',
  );
  t.strictSame(await settings(), [200, 404, 403], 'and the others stay');

  rmSync(places.config, { recursive: true });
  writeFileSync(places.config, good.replace('rocket', 'other'));
  t.equal((await post(daemon.socket, '/api/v1/reload', {})).status, 200);
  t.strictSame(await settings(), [200, 403, 404], 'and a good one counts at once');
  writeFileSync(places.config, 'api_clients: {}\n');
  const gone = await post(daemon.socket, '/api/v1/reload', {});
  t.match(JSON.stringify(gone.body), 'scout.token is of no client that leo.yaml names');
  t.equal((await settings())[1], 401, 'who is not in it any more is nobody');
  t.notMatch(daemon.log(), scout);
});

t.test('a daemon does not start with such a file, and names the line', async (t) => {
  for (const [what, text, says] of bad.slice(0, 6)) {
    const home = temporaryHome(t);
    writeFileSync(join(home, 'leo.yaml'), text);
    const { code, words } = await startToEnd(t, home);
    t.equal(code, 78, what);
    t.ok(words.includes(says), words);
  }
});

t.test('a daemon does not start with a token file that cannot be believed', async (t) => {
  for (const folder of ['clients', 'devices'] as const) {
    const home = temporaryHome(t);
    const places = placesOf({ LEO_HOME: home });
    mkdirSync(places.state, { mode: 0o700 });
    writeFileSync(places.config, good);
    scopedToken(places[folder], 'scout');
    const path = join(places[folder], 'scout.token');
    writeFileSync(path, 'short');
    const { code, words } = await startToEnd(t, home);
    t.equal(code, 78);
    t.match(words, `${path} holds no token of 64 hex characters; remove it`);
    t.equal(readFileSync(path, 'utf8'), 'short', 'and it is left as it was');
  }
});
