import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { post } from '../support/http.js';
import { type Ran, runLeo } from '../support/run-leo.js';

t.jobs = 4;

function newHome(t: Test) {
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  const places = placesOf(env);
  const leo = (...args: readonly string[]) => runLeo(t, env, ...args);
  return { env, places, leo, yaml: () => readFileSync(places.config, 'utf8') };
}

const done = (t: Test, ran: Ran) => t.strictSame([ran.code, ran.stderr], [0, ''], ran.stdout);
const tokenOf = ({ stdout }: Ran) => /^token {2}([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? '';

t.test('a client is added, shown, given a new token and removed, without a daemon', async (t) => {
  const { places, leo, yaml } = newHome(t);
  t.match((await leo('client', 'list')).stdout, 'There is no client. Add one: leo client add NAME');
  writeFileSync(places.config, '# mine\nweb: { port: 1 }   # odd\n', { mode: 0o640 });

  const added = await leo(
    'client',
    'add',
    'docker-scout',
    '--can-message',
    'rocket',
    '--can-message',
    'build-*',
  );
  done(t, added);
  t.match(added.stdout, 'The client docker-scout may message rocket, build-*.');
  const path = join(places.clients, 'docker-scout.token');
  t.equal(readFileSync(path, 'utf8'), `${tokenOf(added)}\n`);
  t.equal(added.stdout.split(tokenOf(added)).length, 2, 'the token is printed once');
  t.strictSame([statSync(path).mode & 0o777, statSync(places.clients).mode & 0o777], [0o600, 0o700]);
  const entry = '  docker-scout: { can_message: [rocket, "build-*"] }\n';
  t.equal(yaml(), `# mine\nweb: { port: 1 }   # odd\napi_clients:\n${entry}`);
  t.equal(statSync(places.config).mode & 0o777, 0o640, 'leo.yaml keeps its mode');

  const again = await leo('client', 'add', 'docker-scout');
  t.equal(again.code, 1);
  t.match(again.stderr, /there is a client docker-scout already; .*leo client rotate docker-scout/);

  const idle = await leo('client', 'add', 'idle', '--json');
  done(t, idle);
  t.match(JSON.parse(idle.stdout), {
    name: 'idle',
    can_message: [],
    token: /^[0-9a-f]{64}$/,
    token_file: join(places.clients, 'idle.token'),
    daemon: 'not running',
  });

  const list = await leo('client', 'list');
  done(t, list);
  t.match(list.stdout, /^docker-scout +yes +rocket, build-\*$/m);
  t.match(list.stdout, /^idle +yes +nobody$/m);
  const json = JSON.parse((await leo('client', 'list', '--json')).stdout);
  t.match(json, {
    clients: [{ name: 'docker-scout', can_message: ['rocket', 'build-*'], token_file: path }, {}],
  });
  t.notMatch(list.stdout + JSON.stringify(json), tokenOf(added), 'a list has no token');

  const rotated = await leo('client', 'rotate', 'docker-scout');
  done(t, rotated);
  t.not(tokenOf(rotated), tokenOf(added));
  t.equal(readFileSync(path, 'utf8').trim(), tokenOf(rotated));

  done(t, await leo('client', 'remove', 'docker-scout'));
  t.equal(yaml(), '# mine\nweb: { port: 1 }   # odd\napi_clients:\n  idle: { can_message: [] }\n');
  t.throws(() => statSync(path), { code: 'ENOENT' });
  for (const command of ['remove', 'rotate']) {
    const gone = await leo('client', command, 'docker-scout');
    t.equal(gone.code, 1);
    t.equal(gone.stderr, 'leo: no client docker-scout; there is idle\n');
  }
});

t.test('a daemon that runs takes a client up at once', async (t) => {
  const daemon = await startDaemon(t);
  const ask = async (token: string) =>
    (
      await post(
        daemon.http,
        '/web/agent/rocket/message',
        { text: 'x' },
        { authorization: `Bearer ${token}` },
      )
    ).status;
  const added = await runLeo(t, daemon.env, 'client', 'add', 'scout', '--can-message', 'rocket');
  done(t, added);
  t.equal(await ask(tokenOf(added)), 404, 'let in; no such agent runs');
  const rotated = await runLeo(t, daemon.env, 'client', 'rotate', 'scout', '--json');
  t.match(JSON.parse(rotated.stdout), { daemon: 'reloaded', warnings: [] });
  t.equal(await ask(tokenOf(added)), 401);
  const token = String(JSON.parse(rotated.stdout).token);
  t.equal(await ask(token), 404);
  const removed = await runLeo(t, daemon.env, 'client', 'remove', 'scout', '--json');
  t.match(JSON.parse(removed.stdout), { name: 'scout', removed: true, daemon: 'reloaded' });
  t.equal(await ask(token), 401);
  t.notMatch(daemon.log(), token, 'no token in the log');
});

t.test('a leo.yaml that cannot be used is left alone, and its line is named', async (t) => {
  const { places, leo, yaml } = newHome(t);
  done(t, await leo('client', 'add', 'scout', '--can-message', 'rocket'));
  const text = `${yaml()}wob: 1\n`;
  writeFileSync(places.config, text);
  for (const args of [['add', 'other'], ['rotate', 'scout'], ['list']]) {
    const ran = await leo('client', ...args);
    t.equal(ran.code, 1, args.join(' '));
    t.match(ran.stderr, /leo\.yaml line 3: unknown key `wob`/);
  }
  t.throws(() => statSync(join(places.clients, 'other.token')), { code: 'ENOENT' });
  const removed = await leo('client', 'remove', 'scout');
  t.equal(removed.code, 1);
  t.match(
    removed.stderr,
    /the token of scout is gone, but leo\.yaml may still name it .* line 3: unknown key `wob`/,
  );
  t.throws(() => statSync(join(places.clients, 'scout.token')), { code: 'ENOENT' }, 'it is out all the same');
  t.equal(yaml(), text);
});

t.test('a daemon that keeps its old settings is no success', async (t) => {
  const daemon = await startDaemon(t);
  const { config } = placesOf(daemon.env);
  writeFileSync(config, 'deny_tools: [no_such_tool]\n');
  const ran = await runLeo(t, daemon.env, 'client', 'add', 'scout');
  t.equal(ran.code, 1);
  t.match(tokenOf(ran), /^[0-9a-f]{64}$/, 'the token is shown, since it is made');
  t.match(ran.stderr, /not in force yet: .*no_such_tool.*; then: leo reload/);
});

t.test('commands at the same time lose nothing of one another', async (t) => {
  const { leo, yaml } = newHome(t);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const ran of await Promise.all(names.map((name) => leo('client', 'add', name)))) done(t, ran);
  const { clients } = JSON.parse((await leo('client', 'list', '--json')).stdout);
  t.strictSame(clients.map(({ name }: { name: string }) => name).sort(), names, yaml());
});

t.test('a leo.yaml that is a link stays one; one that is read-only or no UTF-8 is left alone', async (t) => {
  const { places, leo, yaml } = newHome(t);
  const real = join(places.home, 'dotfiles.yaml');
  writeFileSync(real, '# in git\n');
  symlinkSync(real, places.config);
  done(t, await leo('client', 'add', 'scout'));
  t.ok(readFileSync(real, 'utf8').startsWith('# in git\napi_clients:\n'));
  t.equal(yaml(), readFileSync(real, 'utf8'));

  const latin = newHome(t);
  const bytes = Buffer.from('# caf\xe9\n', 'latin1');
  writeFileSync(latin.places.config, bytes);
  t.match((await latin.leo('client', 'add', 'scout')).stderr, /leo\.yaml is not UTF-8 text/);
  t.ok(readFileSync(latin.places.config).equals(bytes));

  const other = newHome(t);
  writeFileSync(other.places.config, '# mine\n', { mode: 0o400 });
  const ran = await other.leo('client', 'add', 'scout');
  t.equal(ran.code, 1);
  t.match(ran.stderr, /leo\.yaml is read-only: chmod u\+w /);
  t.throws(() => statSync(join(other.places.clients, 'scout.token')), { code: 'ENOENT' });
});
