// `leo doctor` as a user runs it, where something is wrong with the daemon, or with what starts it.

import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { placesOf } from '../../../lib/config/paths.js';
import { put } from '../../setup/surroundings.js';
import { leo, startDaemon } from '../../support/daemon.js';
import { startApp } from '../../support/demo-app.js';
import { runLeo } from '../../support/run-leo.js';
import { doctor, newCase, program, says } from './user.js';

t.test(
  'a daemon that hangs is told from one that was stopped, and a leo.yaml that nobody has read',
  async (t) => {
    const { home, env } = newCase(t);
    const withPs = { ...env, PATH: `${env.PATH}:/usr/bin:/bin` };
    const daemon = await startDaemon(t, { home, env });
    put(join(home, 'leo.yaml'), 'deny_tools: [leo_send_message]\n');
    says(
      t,
      await doctor(t, env),
      'config',
      'warn',
      'was changed, and the daemon goes by what was',
      'leo reload',
    );
    t.equal((await runLeo(t, env, 'reload')).code, 0);
    says(t, await doctor(t, env), 'config', 'pass', 'can be used');
    put(join(home, 'leo.yaml'), 'bogus: 1\n');
    t.equal((await runLeo(t, env, 'reload')).code, 1);
    says(t, await doctor(t, env), 'config', 'fail', 'unknown key `bogus`');
    rmSync(join(home, 'leo.yaml'));
    says(t, await doctor(t, env), 'config', 'warn', 'the daemon goes by what was', 'leo reload');

    daemon.child.kill('SIGSTOP');
    says(t, await doctor(t, withPs), 'socket', 'fail', 'it may be stopped', `kill -CONT ${daemon.pid}`);
    daemon.child.kill('SIGCONT');
    await daemon.end('SIGTERM');

    // One that takes connections, and does nothing with them.
    const places = placesOf(env);
    const deaf = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => deaf.listen(places.socket, resolve));
    t.teardown(() => new Promise((resolve) => deaf.close(resolve)));
    const tcp = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    t.teardown(() => new Promise((resolve) => tcp.close(resolve)));
    const address = tcp.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const said = { pid: process.pid, version: '0.0.9', epoch: 'e', socket: places.socket, started_at: 's' };
    put(places.daemonFile, JSON.stringify({ ...said, http: `http://127.0.0.1:${port}` }));
    says(t, await doctor(t, withPs), 'socket', 'fail', 'it hangs', `kill -9 ${process.pid}; leo daemon`);
  },
);

t.test('a service whose Node is gone, and one whose daemon somebody else has started', async (t) => {
  const { user, home, env } = newCase(t);
  const daemon = await startDaemon(t, { home, env });
  const { serviceFile } = placesOf(env);
  const unit = join(user, 'leo.service');
  put(unit, '');
  const file = {
    manager: 'systemd',
    name: 'leo.service',
    file: unit,
    node: process.execPath,
    leo: realpathSync(leo),
  };
  put(serviceFile, JSON.stringify({ ...file, node: '/gone/node' }));
  says(t, await doctor(t, env), 'service', 'fail', 'starts /gone/node, which is gone', 'leo service install');
  put(join(home, 'leo.yaml'), 'templates: { mine: { harness: codex, workspace: /tmp } }\n');
  program(join(user, 'bin', 'codex'), 'echo codex-cli 0.0.1');
  for (const [path, text] of [
    ['/usr/bin', `do not find ${join(user, 'bin', 'codex')}`],
    [join(user, 'bin'), 'was started outside'],
  ] as const) {
    put(serviceFile, JSON.stringify({ ...file, path }));
    says(t, await doctor(t, env), 'service', 'warn', text);
  }
  put(serviceFile, JSON.stringify(file));
  says(t, await doctor(t, env), 'service', 'warn', `the daemon (pid ${daemon.pid}) was started outside`);
  rmSync(unit);
  says(t, await doctor(t, env), 'service', 'pass', 'none is installed');
});

t.test('a killed daemon, a stopped one, and an app that has gone', async (t) => {
  const { home, env } = newCase(t);
  const daemon = await startDaemon(t, { home, env });
  await startApp(t, daemon.socket, 'bell', [{ name: 'ring', handler: () => 'done' }]);
  daemon.child.kill('SIGSTOP');
  const stopped = await doctor(t, env);
  says(t, stopped, 'socket', 'fail', 'does not answer', `kill -CONT ${daemon.pid}`);
  says(t, stopped, 'apps', 'pass', 'bell: last seen within the last minute');
  await daemon.end('SIGKILL');
  const killed = await doctor(t, env);
  says(t, killed, 'socket', 'warn', 'left by a daemon that was killed', 'leo daemon');
  t.equal(killed.code, 0);
});

t.test('a path that is too long for a socket', async (t) => {
  const { env } = newCase(t, 'x'.repeat(100));
  const found = await doctor(t, env);
  says(t, found, 'socket', 'warn', 'and 103 work');
  t.equal(found.code, 0);
});

t.test('a port that is taken, by another program or another Leo; older versions; two daemons', async (t) => {
  const { home, env } = newCase(t);
  const other = createServer((socket) => socket.resume().end('no HTTP\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => other.close(resolve)));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  put(join(home, 'leo.yaml'), `web: { port: ${port} }\n`);
  says(
    t,
    await doctor(t, env),
    'port',
    'fail',
    `port ${port} is taken by another program`,
    `lsof -nP -iTCP:${port} -sTCP:LISTEN`,
  );

  const daemon = await startDaemon(t);
  put(join(home, 'leo.yaml'), `web: { port: ${new URL(daemon.http).port} }\n`);
  says(t, await doctor(t, env), 'port', 'fail', "taken by a daemon of Leo's with another LEO_HOME");

  // A daemon and a gateway of older versions, and a second daemon at what daemon.json names.
  const places = placesOf(env);
  mkdirSync(places.state, { mode: 0o700 });
  const old = createHttpServer((request, response) => {
    const data = request.url?.endsWith('agents')
      ? { agents: [{ name: 'rocket', leo_versions: ['0.0.8'] }] }
      : { status: 'ok', version: '0.0.9', uptime_s: 9 };
    response.end(JSON.stringify({ ok: true, data }));
  });
  await new Promise<void>((resolve) => old.listen(places.socket, resolve));
  t.teardown(() => new Promise((resolve) => old.close(resolve)));
  const said = {
    pid: process.pid,
    version: '0.0.9',
    epoch: 'e',
    socket: places.socket,
    started_at: 's',
    started_by: 'systemd',
  };
  put(places.daemonFile, JSON.stringify({ ...said, http: daemon.http }));
  const found = await doctor(t, env);
  says(t, found, 'versions', 'warn', 'the daemon is Leo 0.0.9, this is Leo', 'leo service restart');
  says(t, found, 'versions', 'warn', 'the gateway of rocket is Leo 0.0.8, the daemon Leo 0.0.9');
  says(t, found, 'daemon', 'fail', 'two daemons', `kill ${process.pid}`);
});
