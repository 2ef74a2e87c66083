// A real daemon in a home of its own, ended with its test.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { type DaemonFile, readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { until } from './wait.js';

/** The repository's root, seen from build/test/support. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The product's entry, as a user runs it. */
export const leo = join(root, 'bin', 'leo.js');

/** A new empty LEO_HOME, removed with the test. */
export function temporaryHome(t: Test): string {
  const home = mkdtempSync(join(tmpdir(), 'leo-'));
  t.teardown(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export interface RunningDaemon extends DaemonFile {
  readonly home: string;
  readonly child: ChildProcess;
  /** The environment of a process that talks to this daemon. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the daemon has written to stderr so far. */
  log(): string;
  /** Sends a signal and waits for the end; gives the exit code, or null for a signal. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface DaemonOptions {
  readonly home?: string;
  /** The text of leo.yaml. */
  readonly config?: string;
  readonly args?: readonly string[];
  /** Laid over the environment of the test. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts `leo daemon --port 0` and waits until it says that it is ready. */
export async function startDaemon(t: Test, options: DaemonOptions = {}): Promise<RunningDaemon> {
  const home = options.home ?? temporaryHome(t);
  // What a command leaves in the folder for temporary files goes with the home.
  const env = { ...process.env, ...options.env, LEO_HOME: home, TMPDIR: home };
  const places = placesOf(env);
  if (options.config !== undefined) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(places.config, options.config);
  }
  const child = spawn(process.execPath, [leo, 'daemon', '--port', '0', ...(options.args ?? [])], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return await exited;
  };
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    await end('SIGTERM');
  });
  const file = await until('the daemon is ready', () => {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}:\n${log}`);
    const found = readDaemonFile(places.daemonFile);
    return found !== undefined && found.pid === child.pid && existsSync(found.socket) ? found : undefined;
  });
  return { ...file, home, env, child, log: () => log, end };
}
