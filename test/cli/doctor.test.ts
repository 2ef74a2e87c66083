// `leo doctor` as a user runs it, on homes in each of which something else is wrong.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import type { Line } from '../../lib/doctor/line.js';
import { put } from '../setup/surroundings.js';
import { leo, startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { LinkAgent } from '../support/link-agent.js';
import { type Ran, runLeo } from '../support/run-leo.js';
import { isAlive, until } from '../support/wait.js';

interface Case {
  /** HOME; LEO_HOME is `leo` in it, unless the case says otherwise. */
  readonly user: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A user of whose machine nothing is found: no harness, no tmux. */
function newCase(t: Test, name = 'leo'): Case {
  const user = realpathSync(temporaryHome(t));
  const home = join(user, name);
  const bin = join(user, 'bin');
  mkdirSync(bin);
  mkdirSync(home, { mode: 0o700 });
  return { user, home, env: { HOME: user, PATH: bin, LEO_HOME: home } };
}

interface Diagnosis extends Ran {
  readonly ok: boolean;
  readonly lines: readonly Line[];
}

async function doctor(t: Test, env: Readonly<Record<string, string | undefined>>): Promise<Diagnosis> {
  const ran = await runLeo(t, env, 'doctor', '--json');
  t.equal(ran.stderr, '');
  return { ...ran, ...JSON.parse(ran.stdout) };
}

/** Checks one line, and that the exit code goes with whether anything has failed. */
function says(
  t: Test,
  { code, ok, lines }: Diagnosis,
  check: string,
  status: string,
  text: string,
  mend?: string,
) {
  const found = lines.find((line) => line.check === check && line.text.includes(text));
  t.match(found, { status, ...(mend === undefined ? {} : { mend }) }, `${check}: ${text}`, { lines });
  t.equal(ok, !lines.some((line) => line.status === 'fail'));
  t.equal(code, ok ? 0 : 1);
}

/** Everything below a folder: what it is, its mode, when it was changed, what it holds. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { mode, mtimeMs } = lstatSync(path);
      return `${name} ${mode} ${mtimeMs} ${lstatSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`;
    });
}

function program(path: string, script: string): void {
  put(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

t.test('with all well, everything passes, for people and for machines', async (t) => {
  const { user, home, env } = newCase(t);
  program(join(user, 'bin', 'tmux'), 'echo tmux 3.4');
  program(join(user, 'bin', 'codex'), 'echo codex-cli 0.0.1');
  const daemon = await startDaemon(t, { home, env });
  await startApp(t, daemon.socket, 'bell', [{ name: 'ring', handler: () => 'done' }]);
  await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket', version: daemon.version });
  await runLeo(t, env, 'harness', 'setup', 'codex');
  const found = await doctor(t, env);
  t.same(
    found.lines.filter(({ status }) => status !== 'pass'),
    [],
  );
  says(t, found, 'socket', 'pass', `a daemon answers at ${daemon.socket}`);
  says(t, found, 'daemon', 'pass', `pid ${daemon.pid}`);
  says(t, found, 'port', 'pass', daemon.http);
  says(t, found, 'versions', 'pass', `Leo ${daemon.version}, and so is the daemon and every gateway`);
  says(t, found, 'tokens', 'pass', '2 tokens');
  says(t, found, 'harness', 'pass', 'codex 0.0.1: tools through leo_app_tools; starts this Leo (user)');
  says(t, found, 'apps', 'pass', 'bell: connected');
  const people = await runLeo(t, env, 'doctor');
  t.match(people.stdout, /^pass {2}node {6}Node /);
  t.match(people.stdout, /\n\n\d+ passed, 0 warnings, 0 failed\n$/);
});

t.test('a home without anything is not an error, and nothing is made or started', async (t) => {
  const { user, home, env } = newCase(t);
  const before = snapshot(user);
  const found = await doctor(t, env);
  says(t, found, 'socket', 'warn', 'no daemon runs', 'leo daemon');
  says(t, found, 'tmux', 'warn', 'not on PATH');
  t.equal(found.code, 0);
  t.same(snapshot(user), before);
  const missing = await doctor(t, { ...env, LEO_HOME: join(user, 'none') });
  says(t, missing, 'home', 'pass', 'is not there yet');
  t.same(snapshot(user), before);
  t.same(readdirSync(home), []);
});

t.test('loose modes are found and left as they are', async (t) => {
  const { home, env } = newCase(t);
  const { apiToken, agentToken, clients, devices, config } = placesOf(env);
  const token = (path: string, text: string, mode: number) => {
    put(path, `${text}\n`);
    chmodSync(path, mode);
  };
  token(apiToken, 'a'.repeat(64), 0o644);
  token(agentToken, 'b'.repeat(64), 0o600);
  token(join(clients, 'scout.token'), 'c'.repeat(64), 0o640);
  token(join(clients, 'old.token'), 'd'.repeat(64), 0o600);
  token(join(devices, 'phone.token'), 'not a token', 0o600);
  token(join(devices, 'pad.token'), 'b'.repeat(64), 0o600);
  put(config, 'api_clients: { scout: {}, new: {} }\n');
  chmodSync(config, 0o666);
  chmodSync(home, 0o755);
  const before = snapshot(home);
  const found = await doctor(t, env);
  says(t, found, 'home', 'fail', '(mode 0755)', `chmod 700 ${home}`);
  says(t, found, 'config', 'fail', '(mode 0666)', `chmod go-w ${home}/leo.yaml`);
  says(t, found, 'tokens', 'fail', 'api.token can be read by others (mode 0644)', `chmod 600 ${apiToken}`);
  says(t, found, 'tokens', 'fail', 'scout.token can be read by others (mode 0640)');
  says(t, found, 'tokens', 'fail', 'phone.token holds no token', 'leo device rotate phone');
  says(t, found, 'tokens', 'fail', `pad.token holds the token of ${agentToken}`, 'leo device rotate pad');
  says(t, found, 'tokens', 'warn', 'old.token is of no client', 'leo client remove old');
  says(t, found, 'tokens', 'warn', 'the client new of leo.yaml has no token', 'leo client rotate new');
  t.same(snapshot(home), before);
  t.notMatch(found.stdout, /([a-d])\1{63}/);

  // Each mend that is typed mends: none is left of what can be mended so.
  for (const { status, check, mend } of found.lines) {
    if (status === 'pass' || check === 'socket' || mend === null) continue;
    const typed = mend.startsWith('leo ') ? `'${process.execPath}' '${leo}' ${mend.slice(4)}` : mend;
    const { status: code, stderr } = spawnSync('/bin/sh', ['-c', typed], {
      env: { ...env, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    t.equal(code, 0, `${mend}: ${stderr}`);
  }
  const mended = await doctor(t, env);
  t.same(
    mended.lines.filter(({ status, mend }) => status !== 'pass' && mend !== null && mend !== 'leo daemon'),
    [],
  );
});

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

t.test('an entry that was written by hand is looked up as a shell would', async (t) => {
  const { user, env } = newCase(t);
  const settings = join(user, '.qwen', 'settings.json');
  const rows: readonly (readonly [
    what: string,
    command: string,
    isThere: boolean,
    status: string,
    text: string,
  ])[] = [
    ['a leo on PATH', 'leo', true, 'pass', 'qwen-code'],
    ['no leo on PATH', 'leo', false, 'fail', 'starts leo mcp-server, which is gone'],
    ["npm's link", join(user, 'bin', 'leo'), true, 'pass', 'qwen-code'],
    ["npm's link, gone", join(user, 'bin', 'leo'), false, 'fail', 'which is gone'],
  ];
  for (const [what, command, isThere, status, text] of rows) {
    rmSync(join(user, 'bin', 'leo'), { force: true });
    if (isThere) symlinkSync(realpathSync(leo), join(user, 'bin', 'leo'));
    const entry = { command, args: ['mcp-server'], env: { LEO_HOME: env.LEO_HOME } };
    put(settings, JSON.stringify({ mcpServers: { leo: entry } }));
    t.comment(what);
    says(t, await doctor(t, env), 'harness', status, text);
  }
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

t.test(
  'a leo.yaml that cannot be used is named by its line, and the rest is looked at all the same',
  async (t) => {
    const { home, env } = newCase(t);
    put(join(home, 'leo.yaml'), 'web: { port: 1 }\ndaemon:\n  autostrat: true\n');
    const found = await doctor(t, env);
    says(t, found, 'config', 'fail', 'leo.yaml line 3: unknown key `daemon.autostrat`');
    t.ok(found.lines.some(({ check }) => check === 'harness'));
  },
);

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

t.test('harnesses: one that hangs, one that starts a Leo that is gone, one that is not set up', async (t) => {
  const { user, env } = newCase(t);
  const pids = join(user, 'pids');
  program(join(user, 'bin', 'claude'), `trap '' TERM\necho $$ > ${pids}\n/bin/sleep 1000 &\nwait`);
  program(join(user, 'bin', 'qwen'), 'echo 0.0.1');
  program(join(user, 'bin', 'tmux'), `trap '' TERM\n/bin/sleep 1000`);
  const file = join(user, '.codex', 'config.toml');
  put(file, '[mcp_servers.leo]\ncommand = "/gone/node"\nargs = ["/gone/leo.js", "mcp-server"]\n');
  put(join(user, '.gemini', 'settings.json'), '{');
  const command = [process.execPath, realpathSync(leo), 'mcp-server'];
  const kilo = { mcp: { leo: { type: 'local', command, environment: { LEO_HOME: '/elsewhere' } } } };
  put(join(user, '.config', 'kilo', 'kilo.json'), JSON.stringify(kilo));
  const found = await doctor(t, env);
  says(t, found, 'harness', 'warn', 'claude does not say its version');
  says(t, found, 'tmux', 'warn', 'does not say its version');
  says(
    t,
    found,
    'harness',
    'warn',
    'qwen-code 0.0.1: tools through leo_app_tools; not set up',
    'leo harness setup qwen-code',
  );
  says(
    t,
    found,
    'harness',
    'fail',
    `${file} starts /gone/node /gone/leo.js, which is gone`,
    'leo harness setup codex',
  );
  says(t, found, 'harness', 'fail', 'gemini-cli: ');
  says(t, found, 'harness', 'warn', `with another LEO_HOME: ${command.slice(0, 2).join(' ')}`);
  says(t, found, 'harness', 'pass', 'cline: not on PATH');
  const pid = Number(readFileSync(pids, 'utf8'));
  await until('the program that hung is ended', () => !isAlive(pid));
});
