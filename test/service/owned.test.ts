// A home whose daemon is a service's: who starts it, and how the daemon ends for a service manager.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { exitCodeFor, startedBy } from '../../lib/config/daemon-exit.js';
import { placesOf } from '../../lib/config/paths.js';
import { readServiceFile } from '../../lib/config/service-file.js';
import { leo, startDaemon, temporaryHome } from '../support/daemon.js';
import { Gateway, textOf } from '../support/gateway.js';
import { programIn } from '../support/program-on-path.js';
import { runLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

/** Marks a home as a service's, as `leo service install` does. */
function markService(t: Test, home: string, unit = join(home, 'leo.service')): string {
  const { state, serviceFile } = placesOf({ LEO_HOME: home });
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(unit, '');
  const file = { manager: 'systemd', name: 'leo.service', file: unit, node: '/usr/bin/node', leo: '/leo.js' };
  writeFileSync(serviceFile, JSON.stringify(file));
  t.match(readServiceFile(serviceFile), file);
  return unit;
}

t.test('where a service is installed, a gateway dials, waits and starts nothing', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
  markService(t, home);
  const { daemonLog } = placesOf({ LEO_HOME: home });
  const gateway = Gateway.start(t, { home, env: { LEO_NO_AUTOSTART: '' } });
  await gateway.initialize();
  const text = textOf(await gateway.call('leo_list_agents'));
  t.match(text, /^daemon_unreachable: .*`leo service status`.*`leo service start`/);
  t.notMatch(gateway.stderr, /starting one/);
  t.throws(() => readFileSync(daemonLog), { code: 'ENOENT' }, 'no daemon was started');
  const status = await runLeo(t, { ...process.env, LEO_HOME: home }, 'status');
  t.match(status.stderr, /no daemon answers at .*; start one: leo service start\n$/);

  await startDaemon(t, { home });
  t.match(
    await until('the daemon is found', async () => {
      const result = await gateway.call('leo_list_agents');
      return result.isError !== true && result;
    }),
    { content: [{ text: /"agents"/ }] },
  );
});

t.test('a service whose unit is gone holds no gateway back', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
  rmSync(markService(t, home));
  const places = placesOf({ LEO_HOME: home });
  t.equal(readServiceFile(places.serviceFile), undefined);
  const gateway = Gateway.start(t, { home, env: { LEO_NO_AUTOSTART: '' } });
  await gateway.initialize();
  t.match(await gateway.call('leo_list_agents'), { content: [{ text: /"agents"/ }] });
  const file: unknown = JSON.parse(readFileSync(places.daemonFile, 'utf8'));
  t.match(file, { started_by: 'gateway', pid: Number });
  const { pid } = file as { readonly pid: number };
  process.kill(pid, 'SIGTERM');
  await until('the daemon has gone', () => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});

t.test('a service.json that is torn, or of another shape, says nothing', async (t) => {
  const home = temporaryHome(t);
  const { state, serviceFile } = placesOf({ LEO_HOME: home });
  mkdirSync(state);
  for (const text of ['', '{', 'null', '[]', '{"manager":"cron","name":"x","file":"/","node":"","leo":""}']) {
    writeFileSync(serviceFile, text);
    t.equal(readServiceFile(serviceFile), undefined, text);
  }
});

t.test('the daemon says by its exit code whether another start could help', async (t) => {
  const daemon = await startDaemon(t);
  const bad = temporaryHome(t);
  writeFileSync(join(bad, 'leo.yaml'), 'web: { port: many }\n');
  const port = new URL(daemon.http).port;
  const taken = temporaryHome(t);
  // launchd knows success and failure, and starts anew after every failure.
  const rows: readonly (readonly [
    what: string,
    home: string,
    args: readonly string[],
    by: string,
    code: number,
  ])[] = [
    ['another daemon', daemon.home, [], 'hand', 75],
    ['another daemon', daemon.home, [], 'systemd', 75],
    ['another daemon', daemon.home, [], 'launchd', 0],
    ['a bad leo.yaml', bad, [], 'systemd', 78],
    ['a bad leo.yaml', bad, [], 'launchd', 0],
    ['a port that is taken', taken, ['--port', port], 'systemd', 1],
    ['a port that is taken', taken, ['--port', port], 'launchd', 1],
    ['an option that is none', taken, ['--bogus'], 'systemd', 2],
  ];
  for (const [what, home, args, by, code] of rows) {
    const ran = await runLeo(t, { ...process.env, LEO_HOME: home, LEO_STARTED_BY: by }, 'daemon', ...args);
    t.equal(ran.code, code, `${what}, under ${by}`);
    t.not(ran.stderr, '', 'and the reason is written');
  }
});

t.test('under launchd, which only adds to it, a large log is begun anew with the daemon', async (t) => {
  const home = temporaryHome(t);
  writeFileSync(join(home, 'leo.yaml'), 'web: { port: many }\n');
  const log = join(home, 'daemon.log');
  const rows: readonly (readonly [by: string, bytes: number, left: RegExp])[] = [
    ['launchd', 2 * 1024 * 1024, /^\d{4}-[\d-]+T[\d:.]+Z leo: .*web\.port must be integer\n$/],
    ['launchd', 3, /^xxx\d{4}-[\d-]+T[\d:.]+Z leo: /],
    ['hand', 2 * 1024 * 1024, /^x{1000}/],
  ];
  for (const [by, bytes, left] of rows) {
    writeFileSync(log, 'x'.repeat(bytes));
    const file = openSync(log, 'a');
    const env = { ...process.env, LEO_HOME: home, LEO_STARTED_BY: by };
    const child = spawn(process.execPath, [leo, 'daemon'], { env, stdio: ['ignore', 'ignore', file] });
    closeSync(file);
    await once(child, 'close');
    t.match(readFileSync(log, 'utf8'), left, `${bytes} bytes, started by ${by}`);
  }
});

t.test('the log of a systemd service is asked of its journal', async (t) => {
  const home = temporaryHome(t);
  const unit = markService(t, home);
  const bin = join(home, 'bin');
  programIn(bin, 'journalctl', 'echo "$@"; exit 0');
  const env = { ...process.env, LEO_HOME: home, PATH: `${bin}:${process.env.PATH}` };
  const asked = '--user --unit leo.service --no-pager --lines';
  t.match(await runLeo(t, env, 'logs'), { code: 0, stdout: `${asked} 100\n` });
  t.match(await runLeo(t, env, 'logs', '-n', '5', '--follow'), { code: 0, stdout: `${asked} 5 --follow\n` });
  const none = await runLeo(t, { ...env, PATH: join(home, 'none') }, 'logs');
  t.match(none, {
    code: 1,
    stderr: "leo: the log is in systemd's journal, and there is no journalctl here\n",
  });
  rmSync(unit);
  t.match(await runLeo(t, env, 'logs'), { code: 1, stderr: /no daemon has left a log here/ });
});

t.test('who started a daemon is one of four', async (t) => {
  t.strictSame(
    ['systemd', 'launchd', 'gateway', 'hand', 'cron', undefined].map((by) =>
      startedBy({ LEO_STARTED_BY: by }),
    ),
    ['systemd', 'launchd', 'gateway', 'hand', 'hand', 'hand'],
  );
  t.equal(exitCodeFor(1, 'launchd'), 1, 'a crash is started again');
});
