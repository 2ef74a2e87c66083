// A real systemd user manager of one test's own: with a runtime folder and a home that nobody else has, ended with the
// test. systemd starts one only on a machine that it has booted; elsewhere (a container, say) root can give it a /run of
// its own in which it finds that true.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from './wait.js';

export interface UserManager {
  /** The environment of a shell of that user. */
  readonly env: NodeJS.ProcessEnv;
  /** The user's home. */
  readonly home: string;
}

const program = ['/usr/lib/systemd/systemd', '/lib/systemd/systemd'].find((path) => existsSync(path));

/** Starts one, or says why none can be started here. */
export async function userManager(t: Test): Promise<UserManager | string> {
  if (program === undefined) return 'systemd is not installed';
  const booted = existsSync('/run/systemd/system');
  if (!booted && process.getuid?.() !== 0) return 'this machine was not booted by systemd';
  const folder = mkdtempSync(join(tmpdir(), 'leo-um-'));
  const [home, runtime] = [join(folder, 'home'), join(folder, 'run')];
  for (const made of [home, runtime]) mkdirSync(made, { mode: 0o700 });
  const { XDG_CONFIG_HOME: _config, DBUS_SESSION_BUS_ADDRESS: _bus, ...rest } = process.env;
  const env = { ...rest, HOME: home, XDG_RUNTIME_DIR: runtime };
  const own = 'mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec "$0" --user';
  const child = booted
    ? spawn(program, ['--user'], { env, stdio: 'ignore' })
    : spawn('unshare', ['--mount', 'sh', '-c', own, program], { env, stdio: 'ignore' });
  let failed = '';
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failed = error.message;
      resolve();
    });
    child.once('exit', (code) => {
      failed ||= `it ended with ${code}`;
      resolve();
    });
  });
  t.teardown(async () => {
    end(child, env);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const ready = await until('the user manager answers, or has ended', () => {
    if (failed !== '') return 'ended';
    return existsSync(join(runtime, 'systemd', 'private')) && 'answers';
  });
  if (ready === 'ended') return `no user manager can be started here: ${failed}`;
  return { env, home };
}

/** `systemctl --user exit` lets it end its units; a signal would do so, too, where that cannot be asked. */
function end(child: ChildProcess, env: NodeJS.ProcessEnv): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    execFileSync('systemctl', ['--user', 'exit'], { env, stdio: 'ignore' });
  } catch {
    child.kill('SIGTERM');
  }
}
