// The service for real: `leo service` against a systemd user manager, with an agent in tmux. The steps build on each
// other, so they are one test.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { http } from '../support/http.js';
import { runLeo } from '../support/run-leo.js';
import { noTmux, testTmux } from '../support/tmux.js';
import { userManager } from '../support/user-manager.js';
import { isAlive, until } from '../support/wait.js';

t.test('a user manager installs, restarts, mends and removes the daemon, and no agent is lost', async (t) => {
  const manager = await userManager(t);
  if (typeof manager === 'string') return t.pass('no user manager', { skip: manager });
  if (noTmux !== false) return t.pass('no tmux', { skip: noTmux });
  const { server } = testTmux(t);
  const home = join(manager.home, 'my %h "leo" $HOME');
  const env = { ...manager.env, LEO_HOME: home, LEO_TMUX_SERVER: server, LEO_SERVICE_MANAGER: 'systemd' };
  const places = placesOf(env);
  mkdirSync(home, { mode: 0o700 });
  const config = `web: { port: 0 }\ntemplates:\n  mine: { harness: custom, command: "exec sleep 1000", workspace: ${JSON.stringify(home)} }\n`;
  writeFileSync(places.config, config);
  const leo = async (...args: readonly string[]) => {
    const ran = await runLeo(t, env, ...args);
    return { ...ran, all: ran.stdout + ran.stderr };
  };
  const pidNow = () => readDaemonFile(places.daemonFile)?.pid ?? 0;

  t.match(await leo('service', 'start'), {
    code: 1,
    stderr: /^leo: the service is not installed \(.*\); install it: leo service install\n$/,
  });
  const install = await leo('service', 'install', '--harden');
  t.equal(install.code, 0, install.all);
  t.match(
    install.stdout,
    /^The service is installed: .*\.config\/systemd\/user\/leo-[0-9a-f]{12}\.service\n/,
  );
  t.match(install.stdout, /^The daemon runs: Leo \S+, pid \d+\./m);
  t.match(readDaemonFile(places.daemonFile), { started_by: 'systemd', socket: places.socket });
  t.equal((await http(places.socket, '/health')).status, 200, 'a client talks to it');
  const status = await leo('service', 'status', '--json');
  t.match(JSON.parse(status.stdout), {
    installed: true,
    enabled: true,
    activity: 'running',
    pid: pidNow(),
    daemon: { running: true, of_service: true, pid: pidNow() },
    next: null,
  });
  t.equal(status.code, 0);
  if (process.platform === 'linux') {
    const limits = readFileSync(`/proc/${pidNow()}/status`, 'utf8');
    t.match(limits, /^NoNewPrivs:\t1$/m, 'it was hardened');
    t.match(limits, /^Seccomp:\t2$/m);
  }

  // Installed again, it is what everybody gets, and agents are started under it.
  t.match(await leo('service', 'install'), { code: 0, stdout: /^It is hardened no more\. /m });
  t.match(readFileSync(`/proc/${pidNow()}/status`, 'utf8'), /^NoNewPrivs:\t0$/m);
  t.equal((await leo('agent', 'spawn', 'mine')).code, 0);
  const agent = async () => {
    const listed = await leo('agent', 'list', '--json');
    const { agents } = JSON.parse(listed.stdout) as {
      agents: { supervised: { state: string; tmux: { pid: number } } }[];
    };
    return agents[0]?.supervised;
  };
  const before = await agent();
  t.match(before, { state: 'running' });
  const lives = async (what: string) =>
    t.match(await agent(), { state: 'running', tmux: before?.tmux }, what);

  const first = pidNow();
  const restart = await leo('service', 'restart');
  t.equal(restart.code, 0, restart.all);
  t.not(pidNow(), first);
  await lives('the agent lives through a restart');

  // One that hangs: the manager wakes it, or kills it.
  const hung = pidNow();
  process.kill(hung, 'SIGSTOP');
  t.match(await leo('service', 'status'), {
    code: 1,
    stdout: /did not answer within[\s\S]*Start it anew: leo service restart\n$/,
  });
  const woken = await leo('service', 'restart');
  t.equal(woken.code, 0, woken.all);
  t.not(pidNow(), hung);
  await lives('the agent lives through that, too');

  const second = pidNow();
  process.kill(second, 'SIGKILL');
  await until('systemd has started it again', () => pidNow() !== second && pidNow());
  await until('it answers', async () => (await leo('status')).code === 0);
  await lives('the agent lives through a crash');

  t.equal((await leo('service', 'stop')).code, 0);
  t.equal((await leo('status')).code, 1);
  t.ok(isAlive(before?.tmux.pid ?? 0), 'the agent lives while the service is stopped');
  const stopped = await leo('service', 'status');
  t.equal(stopped.code, 1);
  t.match(stopped.stdout, /inactive \(dead\), starts at login/);
  t.match(stopped.stdout, /start one: leo service start/);
  t.match(
    (await leo('service', 'uninstall', '--purge', '--yes')).stderr,
    /an agent runs in tmux \(mine\); stop it first/,
  );
  t.equal((await leo('service', 'start')).code, 0);
  await lives('and is found again');

  // What no start can mend is not tried again and again.
  writeFileSync(places.config, 'web: { port: many }\n');
  const bad = await leo('service', 'restart');
  t.match(bad, {
    code: 1,
    stderr:
      /the daemon does not run: leo\.yaml, or a file of LEO_HOME, cannot be used; see: leo doctor, or leo service logs/,
  });
  t.match(JSON.parse((await leo('service', 'status', '--json')).stdout), {
    activity: 'failed',
    last_exit: 78,
  });
  writeFileSync(places.config, config);
  t.equal((await leo('service', 'start')).code, 0);

  t.equal((await leo('agent', 'stop', 'mine')).code, 0);
  const asked = await leo('service', 'uninstall', '--purge');
  t.match(asked, { code: 2, stderr: /no terminal to ask on; add --yes/, stdout: /^ {2}state\/api\.token$/m });
  t.ok(existsSync(places.apiToken), 'and nothing was removed');
  const purge = await leo('service', 'uninstall', '--purge', '--yes');
  t.equal(purge.code, 0, purge.all);
  t.match(purge.stdout, new RegExp(`^  ${places.config.replace(/[$%"]/g, '.')}$`, 'm'));
  t.notOk(existsSync(places.state));
  t.equal(readFileSync(places.config, 'utf8'), config, 'leo.yaml stays');
  t.match(await leo('service', 'status'), { code: 1, stdout: /not installed/ });
});
