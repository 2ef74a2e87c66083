// `leo doctor` as a user runs it, on homes in each of which something else is wrong.

import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { placesOf } from '../../../lib/config/paths.js';
import { put } from '../../setup/surroundings.js';
import { leo, startDaemon } from '../../support/daemon.js';
import { startApp } from '../../support/demo-app.js';
import { LinkAgent } from '../../support/link-agent.js';
import { runLeo } from '../../support/run-leo.js';
import { isAlive, until } from '../../support/wait.js';
import { doctor, newCase, program, says, snapshot } from './user.js';

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
