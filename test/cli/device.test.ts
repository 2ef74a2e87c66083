import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { daemonUrl, pairingLink } from '../../lib/cli/device/pairing.js';
import { qrCode } from '../../lib/cli/device/qr-code.js';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http } from '../support/http.js';
import { runLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('a device is added with a code to scan, used, listed and removed', async (t) => {
  const daemon = await startDaemon(t);
  const places = placesOf(daemon.env);
  t.match(
    (await runLeo(t, daemon.env, 'device', 'list')).stdout,
    'There is no device. Add one: leo device add NAME',
  );

  const added = await runLeo(t, daemon.env, 'device', 'add', 'phone');
  t.strictSame([added.code, added.stderr], [0, '']);
  const token = /^token {2}([0-9a-f]{64})$/m.exec(added.stdout)?.[1] ?? '';
  const link = /^link {3}(.*)$/m.exec(added.stdout)?.[1] ?? '';
  const url = new URL(link);
  t.equal(`${url.protocol}//${url.host}`, 'leo://pair');
  t.strictSame(Object.fromEntries(url.searchParams), { name: 'phone', token, url: daemon.http });
  for (const line of qrCode(link, { isTTY: false, columns: 0 })) t.ok(added.stdout.includes(line), line);
  t.match(added.stdout, `${daemon.http} is this machine`);
  const path = join(places.devices, 'phone.token');
  t.equal(readFileSync(path, 'utf8').trim(), token);
  t.equal(statSync(path).mode & 0o777, 0o600);

  const again = await runLeo(t, daemon.env, 'device', 'add', 'phone');
  t.equal(again.code, 1);
  t.match(again.stderr, 'there is a device phone already; for a new token: leo device rotate phone');

  const headers = { authorization: `Bearer ${token}` };
  t.equal((await http(daemon.http, '/api/v1/client-tools', { headers })).status, 200, 'taken up at once');
  const { stream } = await EventStream.app(t, daemon.http, undefined, headers);
  const list = await runLeo(t, daemon.env, 'device', 'list');
  t.match(list.stdout, /^DEVICE +ADDED\nphone +\d+ (s|m).* ago\n$/);
  const json = await runLeo(t, daemon.env, 'device', 'list', '--json');
  t.match(JSON.parse(json.stdout), { devices: [{ name: 'phone', added_at: /Z$/, token_file: path }] });
  t.notMatch(list.stdout + json.stdout, token);

  const rotated = await runLeo(t, daemon.env, 'device', 'rotate', 'phone', '--json');
  const fresh = JSON.parse(rotated.stdout);
  t.match(fresh, { name: 'phone', url: daemon.http, daemon: 'reloaded' });
  t.equal(fresh.pair, pairingLink({ name: 'phone', token: fresh.token, url: daemon.http }));
  t.equal(readFileSync(path, 'utf8').trim(), fresh.token);
  await until('the stream of the old token ends', () => stream.ended);
  t.equal((await http(daemon.http, '/api/v1/client-tools', { headers })).status, 401);
  const renewed = { authorization: `Bearer ${fresh.token}` };
  const next = await EventStream.app(t, daemon.http, undefined, renewed);

  const removed = await runLeo(t, daemon.env, 'device', 'remove', 'phone');
  t.strictSame([removed.code, removed.stderr], [0, '']);
  await until('its stream ends', () => next.stream.ended);
  t.equal((await http(daemon.http, '/api/v1/client-tools', { headers: renewed })).status, 401);
  const gone = await runLeo(t, daemon.env, 'device', 'remove', 'phone');
  t.equal(gone.stderr, 'leo: no device phone; there is none yet\n');
  const none = await runLeo(t, daemon.env, 'device', 'rotate', 'phone');
  t.strictSame([none.code, none.stderr], [1, 'leo: no device phone; there is none yet\n']);
});

t.test('where the device is to find the daemon', async (t) => {
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  const named = await runLeo(t, env, 'device', 'add', 'phone', '--url', 'https://leo.example', '--json');
  t.equal(named.code, 0, named.stderr);
  const { url, pair, token, daemon } = JSON.parse(named.stdout);
  t.equal(url, 'https://leo.example');
  t.equal(pair, pairingLink({ name: 'phone', token, url }));
  t.equal(daemon, 'not running');

  const web = (bind: string, port: number, allowedHosts: readonly string[] = []) => ({
    bind,
    port,
    allowedHosts,
  });
  t.equal(daemonUrl(web('127.0.0.1', 8370), undefined), 'http://127.0.0.1:8370');
  t.equal(daemonUrl(web('127.0.0.1', 0), 'http://127.0.0.1:5555'), 'http://127.0.0.1:5555');
  t.equal(daemonUrl(web('127.0.0.1', 0), undefined), undefined);
  t.equal(daemonUrl(web('0.0.0.0', 8370, ['mac.local', 'b']), undefined), 'http://mac.local:8370');
  t.equal(daemonUrl(web('127.0.0.1', 8370, ['mac.local']), undefined), 'http://127.0.0.1:8370');
  t.equal(daemonUrl(web('0.0.0.0', 8370, ['a b']), undefined), 'http://127.0.0.1:8370');
});

t.test('the code is black on white in a terminal, and left out where it would not fit', async (t) => {
  const link = pairingLink({ name: 'phone', token: 'a'.repeat(64), url: 'http://127.0.0.1:8370' });
  const plain = qrCode(link, { isTTY: false, columns: 0 });
  t.ok(plain.length * 2 >= (plain[0]?.length ?? 0) - 1, 'two rows of modules a line');
  t.ok(
    qrCode(link, { isTTY: true, columns: 80 }).every(
      (line) => line.startsWith('\u001b[97;40m') && line.endsWith('\u001b[0m'),
    ),
  );
  t.match(qrCode(link, { isTTY: true, columns: 20 }), [/needs \d+ columns/]);
});
