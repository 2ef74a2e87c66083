// `npm start` as a stranger runs it: in a fresh copy of the repository, with a LEO_HOME of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import t, { type Test } from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { harnessNames } from '../../lib/setup/index.js';
import { root, startDaemon, temporaryHome } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

/** What a clone does not hold. */
const made = ['node_modules', '.git', 'build', 'dist', '.tap'];

const copy = mkdtempSync(join(tmpdir(), 'leo-clone-'));
t.teardown(() => rmSync(copy, { recursive: true, force: true }));
cpSync(root, copy, { recursive: true, filter: (path) => !made.includes(relative(root, path)) });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

interface Started {
  readonly child: ChildProcess;
  stdout(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

function start(t: Test, home: string, ...args: readonly string[]): Started {
  const env = { ...process.env, LEO_HOME: home };
  const script = join(copy, 'scripts', 'start.mjs');
  const child = spawn(process.execPath, [script, ...args], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  t.teardown(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return { child, stdout: () => stdout, ended };
}

/** A home whose daemon takes a port that nothing else wants. */
function homeWith(t: Test, config: string): string {
  const home = temporaryHome(t);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(placesOf({ LEO_HOME: home }).config, config);
  return home;
}

/** The steps of the demonstration, in their order. */
const shown =
  /agent +demo, .*\napp +\S+ started .*\nagent +is told .*\nagent +sees .*\n(agent +calls .*\napp +answers .*\n)+/;

t.test(
  'with --once it shows an agent calling an app, prints how to wire each harness, and leaves nothing',
  async (t) => {
    const home = homeWith(t, 'web: { port: 0 }\n');
    const { code, stdout, stderr } = await start(t, home, '--once').ended;
    t.equal(code, 0, stderr);
    t.match(stdout, `home    ${home} (from LEO_HOME)\n`);
    t.match(stdout, shown);
    const setup = `LEO_HOME=${home} node ${join(copy, 'bin', 'leo.js')} harness setup`;
    for (const name of [...harnessNames, 'print']) t.match(stdout, `${setup} ${name}\n`);
    const pid = Number(/^daemon +started \(pid (\d+)/m.exec(stdout)?.[1]);
    t.throws(() => process.kill(pid, 0), { code: 'ESRCH' }, 'the daemon is gone');
    t.notOk(existsSync(placesOf({ LEO_HOME: home }).daemonFile));
  },
);

t.test('it uses a daemon that already runs, and leaves it running', async (t) => {
  const daemon = await startDaemon(t);
  const { code, stdout, stderr } = await start(t, daemon.home, '--once').ended;
  t.equal(code, 0, stderr);
  t.match(stdout, new RegExp(`^daemon +already runs \\(pid ${daemon.pid}, `, 'm'));
  t.match(stdout, shown);
  const status = await runLeo(t, daemon.env, 'status', '--json');
  t.match(JSON.parse(status.stdout), { pid: daemon.pid, apps: 0, agents: [] });
});

t.test('where another program has the port, it takes a free one and says so', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const home = homeWith(t, `web: { port: ${port} }\n`);
  const { code, stdout, stderr } = await start(t, home, '--once').ended;
  t.equal(code, 0, stderr);
  t.match(stdout, `port ${port} is taken by another program`);
  t.match(stdout, shown);
});

t.test('without --once it stays up until it is interrupted, then all of it ends', async (t) => {
  const home = homeWith(t, 'web: { port: 0 }\n');
  const env = { ...process.env, LEO_HOME: home };
  const running = start(t, home);
  await until('it says that it stays up', () => running.stdout().includes('Leo stays up'));
  const { pid } = readDaemonFile(placesOf(env).daemonFile) ?? {};
  const tools = await runLeo(t, env, 'tools', '--json');
  t.match(JSON.parse(tools.stdout), { groups: [{ connected: true }] });
  const second = await start(t, home, '--once').ended;
  t.equal(second.code, 0, second.stderr);
  t.match(second.stdout, /^daemon +already runs /m);
  t.match(second.stdout, /^app +another app already offers roll_dice; it is used$/m);
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  t.equal(code, 0, stderr);
  t.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' }, 'the daemon is gone');
});

t.test('what it cannot do it says, with exit code 1', async (t) => {
  const home = homeWith(t, 'web: { prot: 1 }\n');
  const { code, stdout, stderr } = await start(t, home, '--once').ended;
  t.equal(code, 1);
  t.match(stderr, /^npm start: .*leo\.yaml line 1: unknown key `web\.prot`/m);
  t.notMatch(stdout, 'Wire your harness');
});

t.test('an unknown argument is misuse', async (t) => {
  t.match(await start(t, temporaryHome(t), '--twice').ended, { code: 2, stderr: /--twice/ });
});
