// The package as a user gets it: packed, installed globally below a folder of its own, and run from there.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { isObject } from '../../lib/wire/json.js';
import { put } from '../setup/surroundings.js';
import { root, temporaryHome } from '../support/daemon.js';
import { Gateway } from '../support/gateway.js';
import { installed, newFolder, packed } from '../support/package.js';
import { isAlive, until } from '../support/wait.js';

// npm asks a registry, which takes the time that it takes.
t.setTimeout(240_000);

const folder = newFolder(t);
const { tarball, files } = await packed(folder);

t.test('the package holds what its commands need, and nothing of how Leo is made', (t) => {
  const needed = [
    'README.md',
    'bin/leo.js',
    'dist/app.js',
    'dist/cli.cjs',
    'dist/cli/main.js',
    'dist/gateway.cjs',
    'dist/gateway-main.cjs',
    'dist/man/leo.1',
    'dist/probe-relay.cjs',
    'dist/types/app/index.d.ts',
    'docs/openapi.json',
    'docs/operators.md',
    'docs/troubleshooting.md',
    'docs/users.md',
    'examples/hello-app.mjs',
    'harnesscaps.json',
    'package.json',
  ];
  for (const file of needed) t.ok(files.includes(file), file);
  const tops = new Set(files.map((file) => file.split('/')[0]));
  t.same([...tops].sort(), [
    'README.md',
    'bin',
    'dist',
    'docs',
    'examples',
    'harnesscaps.json',
    'package.json',
  ]);
  // A cache of the engine's is of use on the machine that made it, and there alone.
  const unwanted = /(?:^|\/)(?:test|tests|fixtures|scripts)\/|\.test\.|(?<!\.d)\.ts$|\.v8$|\.map$|\.tgz$/;
  t.same(
    files.filter((file) => unwanted.test(file)),
    [],
  );
  t.end();
});

t.test('what is installed with the package is what its library imports; all else is in its files', (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const library = readFileSync(join(root, 'dist', 'app.js'), 'utf8');
  const imported = [...library.matchAll(/^(?:import\b.*|\}) from "([^"]+)";$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'));
  t.same(Object.keys(dependencies), [...new Set(imported)].sort());
  t.end();
});

t.test(
  'npm has nothing to run when the package is installed, and names no script that it leaves out',
  (t) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) t.notOk(name in scripts, name);
    t.end();
  },
);

t.test('installed on a clean prefix, all of it runs', async (t) => {
  const prefix = join(folder, 'prefix');
  const place = await installed(tarball, prefix);
  if (place === undefined) {
    t.skip('no registry can be reached for what it depends on', () => undefined);
    return;
  }
  const leo = join(prefix, 'bin', 'leo');
  const user = temporaryHome(t);
  const home = join(user, 'leo');
  mkdirSync(home, { mode: 0o700 });
  put(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
  // Nothing of this repository is found but what is installed.
  const env = { HOME: user, LEO_HOME: home, PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` };
  const run = (...args: readonly string[]) => spawnSync(leo, args, { cwd: user, env, encoding: 'utf8' });

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  t.equal(run('--version').stdout, `${version}\n`);
  t.match(run('help').stdout, '\nCommands:\n');
  t.match(run('completion', 'bash').stdout, 'complete -F _leo leo');
  t.match(readFileSync(join(prefix, 'share', 'man', 'man1', 'leo.1'), 'utf8'), '.SS leo doctor');

  await t.test(
    'setup names what is installed, and what it names starts a daemon when it has to',
    async (t) => {
      const { status, stdout } = run('harness', 'setup', 'print', '--agent', 'rocket', '--json');
      t.equal(status, 0);
      const { command, args } = JSON.parse(stdout).mcpServers.leo;
      t.equal(command, process.execPath);
      t.equal(args[0], join(place, 'bin', 'leo.js'));
      const gateway = Gateway.start(t, {
        home,
        command: [command, ...args],
        cwd: '/',
        env: { LEO_NO_AUTOSTART: '' },
      });
      await gateway.initialize();
      const listed = await gateway.request('tools/list');
      t.ok(isObject(listed.result));
      const daemon = await until('the daemon that the gateway has started is ready', () =>
        readDaemonFile(placesOf(env).daemonFile),
      );
      endWithTest(t, daemon.pid);
      const { stdout: line } = spawnSync('ps', ['-o', 'args=', '-p', String(daemon.pid)], {
        encoding: 'utf8',
      });
      t.ok(line.includes(join(place, 'bin', 'leo.js')), line);

      const app = spawn(process.execPath, [join(place, 'examples', 'hello-app.mjs')], {
        env,
        stdio: 'ignore',
      });
      const gone = new Promise((resolve) => app.once('close', resolve));
      t.teardown(async () => {
        app.kill();
        await gone;
      });
      await until('the example offers its tool', () => !run('tools').stdout.startsWith('No app'));
      const { lines } = JSON.parse(run('doctor', '--json').stdout);
      const failed = lines.filter(({ status }: { status: string }) => status === 'fail');
      t.same(failed, []);
      gateway.child.kill();
    },
  );

  await t.test('its library has its types', async (t) => {
    put(
      join(user, 'app.mts'),
      `import { connect } from 'leo/app';\nconst app = await connect();\nawait app.offer(1, []);\n`,
    );
    mkdirSync(join(user, 'node_modules'));
    symlinkSync(place, join(user, 'node_modules', 'leo'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, 'app.mts'], {
      cwd: user,
      encoding: 'utf8',
    });
    t.match(stdout, /^app\.mts\(3,17\): error TS2345: [^\n]*'string'\.\n$/, 'and nothing else is wrong');
  });

  await t.test('its daemon runs in the foreground', async (t) => {
    const daemon = spawn(leo, ['daemon'], { cwd: user, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => daemon.once('exit', resolve));
    t.teardown(() => daemon.kill('SIGKILL'));
    await until('it is ready', () => readDaemonFile(placesOf(env).daemonFile)?.pid === daemon.pid);
    t.match(run('status').stdout, `leo ${version}, pid ${daemon.pid}`);
    daemon.kill();
    t.equal(await ended, 0);
    t.notOk(existsSync(placesOf(env).daemonFile));
  });
});

/** Ends a daemon that the test has not started itself, and waits until it is gone. */
function endWithTest(t: Test, pid: number): void {
  t.teardown(async () => {
    process.kill(pid, 'SIGTERM');
    await until('the daemon is gone', () => !isAlive(pid));
  });
}
