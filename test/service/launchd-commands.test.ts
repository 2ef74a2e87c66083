// `leo service` on launchd, by a stand-in for launchctl that runs the property list's program for real.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { root, startDaemon, temporaryHome } from '../support/daemon.js';
import { Gateway } from '../support/gateway.js';
import { http } from '../support/http.js';
import { programIn } from '../support/program-on-path.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { isAlive, until } from '../support/wait.js';

/** A user's home with a LEO_HOME in it, and a launchctl on PATH. */
function machine(t: Test) {
  const userHome = temporaryHome(t);
  const folder = temporaryHome(t);
  const stand = join(root, 'build', 'test', 'support', 'stand-in-launchctl.js');
  programIn(join(folder, 'bin'), 'launchctl', `exec '${process.execPath}' '${stand}' '${folder}' "$@"`);
  const env = {
    ...process.env,
    HOME: userHome,
    LEO_HOME: join(userHome, '.leo'),
    LEO_SERVICE_MANAGER: 'launchd',
    LEO_TMUX_SERVER: `leo-test-none-${process.pid}`,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  };
  const places = placesOf(env);
  const pid = () => readDaemonFile(places.daemonFile)?.pid ?? 0;
  t.teardown(async () => {
    rmSync(join(folder, 'plist'), { force: true });
    const last = pid();
    if (last === 0) return;
    if (isAlive(last)) process.kill(last, 'SIGTERM');
    await until('the daemon has gone', () => !isAlive(last));
  });
  const leo = (...args: readonly string[]) => runLeo(t, env, ...args);
  /** What launchctl was asked since the last time, without the questions. */
  let seen = 0;
  const calls = () => {
    const all = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    const now = all.slice(seen).filter((line) => !line.startsWith('print'));
    seen = all.length;
    return now;
  };
  const plist = join(userHome, 'Library', 'LaunchAgents', 'leo.daemon.plist');
  const domain = `gui/${process.getuid?.()}`;
  return { env, places, leo, calls, pid, plist, domain, folder };
}

t.test('on launchd the daemon is installed, restarted, stopped and removed', async (t) => {
  const { env, places, leo, calls, pid, plist, domain, folder } = machine(t);
  const target = `${domain}/leo.daemon`;
  const dry = await leo('service', 'install', '--dry-run');
  t.equal(dry.code, 0);
  t.match(dry.stdout, `- write ${plist} (mode 0644)\n`);
  t.match(dry.stdout, /^ {4} {4}<key>AbandonProcessGroup<\/key>$|<key>AbandonProcessGroup<\/key>/m);
  t.match(dry.stdout, `- run launchctl bootstrap ${domain} ${plist}\n`);
  t.notOk(existsSync(plist) || existsSync(places.home), 'a dry run writes nothing');

  // The port is that of leo.yaml, which is made before there is anything else.
  t.match(await leo('service', 'install', '--no-start'), { code: 0, stdout: /^The service is installed: / });
  t.strictSame(calls(), [`bootout ${target}`, `enable ${target}`]);
  writeFileSync(places.config, 'web: { port: 0 }\n');
  const start = await leo('service', 'start');
  t.equal(start.code, 0, start.stderr);
  t.match(start.stdout, /^The daemon runs: Leo \S+, pid \d+\. See it: leo service status\n$/);
  t.strictSame(calls(), [`enable ${target}`, `bootstrap ${domain} ${plist}`]);
  t.equal((await http(places.socket, '/health')).status, 200, 'a client talks to it');
  t.match(await leo('service', 'status'), {
    code: 0,
    stdout: new RegExp(`running, pid ${pid()}, starts at login`),
  });

  const first = pid();
  t.equal((await leo('service', 'restart')).code, 0);
  t.not(pid(), first);
  t.strictSame(calls(), [`bootout ${target}`, `enable ${target}`, `bootstrap ${domain} ${plist}`]);

  const logs = await leo('logs', '-n', '1');
  t.match(logs, { code: 0, stdout: /^.*ready: .*\n$/ });
  t.match((await leo('service', 'logs')).stdout, /ending: SIGTERM/);
  const following = startLeo(t, env, 'logs', '--follow', '-n', '1');
  await until('the end of the log is printed', () => following.stdout().includes('ready: '));
  t.equal((await leo('service', 'stop')).code, 0);
  await until('what is added is printed', () => following.stdout().includes('ending: SIGTERM'));
  t.notOk(following.stdout().includes('\nready'), 'and nothing twice');
  t.strictSame(calls(), [`bootout ${target}`]);
  t.match(await leo('service', 'status'), { code: 1, stdout: /start one: leo service start/ });

  // No start mends a bad leo.yaml: it is not tried again and again.
  writeFileSync(places.config, 'web: { port: many }\n');
  const bad = await leo('service', 'start');
  t.match(bad, {
    code: 1,
    stderr:
      /^leo: the daemon does not run: .*leo\.yaml cannot be used; see: leo doctor, or leo service logs\n$/,
  });
  t.equal(readFileSync(join(folder, 'exit'), 'utf8'), '0\n');
  const said = (await leo('service', 'logs')).stdout.match(/web\.port must be integer/g);
  t.equal(said?.length, 1, 'it was started once');

  // What fails is started again and again, until it is stopped: not only the one that runs just then.
  const { port } = new URL((await startDaemon(t)).http);
  writeFileSync(places.config, `web: { port: ${port} }\n`);
  t.match(await leo('service', 'restart'), {
    code: 1,
    stderr: /the daemon does not run: exit code 1; launchd tries again; see: leo doctor/,
  });
  t.equal((await leo('service', 'stop')).code, 0);
  t.notOk(existsSync(join(folder, 'plist')), 'launchd has let go of it');
  t.match(await leo('service', 'status'), { code: 1, stdout: /\(launchd\): not loaded\n/ });

  calls();
  t.match(await leo('service', 'uninstall', '--dry-run', '--purge'), {
    code: 0,
    stdout: /- remove .*leo\.daemon\.plist\n[\s\S]*^ {2}state\/agent\.token$/m,
  });
  t.ok(existsSync(plist) && existsSync(places.apiToken));
  t.match(await leo('service', 'uninstall'), { code: 0, stdout: 'The service is taken away.\n' });
  t.strictSame(calls(), [`bootout ${target}`]);
  t.notOk(existsSync(plist) || existsSync(places.serviceFile));
  t.ok(existsSync(places.apiToken), 'without --purge, what was written stays');
  t.match(await leo('service', 'uninstall'), { code: 0, stdout: /^There is no service: / });
  t.match(await leo('service', 'uninstall', '--purge', '--yes'), {
    code: 0,
    stdout: /; this stays: .*leo\.yaml\n$/,
  });
  t.notOk(existsSync(places.state));
});

t.test('a daemon that a gateway has started makes room for the service', async (t) => {
  const { env, places, leo, pid } = machine(t);
  t.equal((await leo('service', 'install', '--no-start')).code, 0);
  writeFileSync(places.config, 'web: { port: 0 }\n');
  rmSync(places.serviceFile);
  const gateway = Gateway.start(t, { home: places.home, env: { ...env, LEO_NO_AUTOSTART: '' } });
  await gateway.initialize();
  await gateway.call('leo_list_agents');
  const first = pid();
  t.match(readDaemonFile(places.daemonFile), { started_by: 'gateway' });
  t.match((await leo('logs')).stdout, /ready: /, 'its log is printed');
  const install = await leo('service', 'install');
  t.equal(install.code, 0, install.stderr);
  t.notOk(isAlive(first));
  t.match(readDaemonFile(places.daemonFile), { started_by: 'launchd' });
  t.match(
    await until('the gateway has found it', async () => {
      const result = await gateway.call('leo_list_agents');
      return result.isError !== true && result;
    }),
    { content: [{ text: /"agents"/ }] },
  );
});

t.test('a daemon that a person has started is left alone, and the person told', async (t) => {
  const { env, places, leo } = machine(t);
  const daemon = await startDaemon(t, { home: places.home, env });
  const words = `a daemon runs already outside the service, started by hand (pid ${daemon.pid}); end it: kill ${daemon.pid}; then: leo service `;
  t.match(await leo('service', 'install'), { code: 1, stderr: `leo: ${words}install\n` });
  t.equal((await leo('service', 'install', '--no-start')).code, 0);
  t.match(await leo('service', 'start'), { code: 1, stderr: `leo: ${words}start\n` });
  t.match(await leo('service', 'status'), {
    code: 1,
    stdout: /started outside the service\n[\s\S]*end the daemon outside it, then: leo service start\n$/,
  });
  t.match(await leo('service', 'stop'), {
    code: 0,
    stdout: `A daemon outside it still runs; end it: kill ${daemon.pid}`,
  });
  t.match(await leo('service', 'uninstall', '--purge', '--yes'), {
    code: 1,
    stderr: `a daemon runs outside the service, and nothing was purged; end it: kill ${daemon.pid}`,
  });
  t.match(await leo('logs'), {
    code: 1,
    stderr: `leo: the daemon (pid ${daemon.pid}) was started by hand: its log is in that terminal`,
  });
  t.ok(isAlive(daemon.pid));
});
