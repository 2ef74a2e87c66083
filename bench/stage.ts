// What a row plays on: a daemon in a LEO_HOME of its own, and on demand the bench's app and gateways. All of it
// is gone when the row ends.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonFile, readDaemonFile } from '../lib/config/daemon-file.js';
import { placesOf } from '../lib/config/paths.js';
import { until } from '../test/support/wait.js';
import { killWithUs } from './mcp-client.js';
import { root } from './root.js';
import type { ServerCommand } from './servers.js';

export interface Stage {
  readonly home: string;
  readonly daemon: DaemonFile;
  /** Starts the app of bench/app.ts as a process and waits until its tools are registered. */
  startApp(): Promise<void>;
  /** How `leo mcp-server` is started here. */
  gateway(agent: string): ServerCommand;
}

/** Runs something on a stage of its own. */
export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'leo-bench-'));
  const env = { ...process.env, LEO_HOME: home };
  const leo = join(root, 'bin', 'leo.js');
  const running: ChildProcess[] = [];
  const keep = (child: ChildProcess) => {
    killWithUs(child);
    running.push(child);
    return child;
  };
  try {
    const places = placesOf(env);
    const child = keep(
      spawn(process.execPath, [leo, 'daemon', '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] }),
    );
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4000);
    });
    const daemon = await until('the daemon is ready', () => {
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}:\n${log}`);
      const file = readDaemonFile(places.daemonFile);
      return file !== undefined && existsSync(file.socket) ? file : undefined;
    });
    return await play({
      home,
      daemon,
      async startApp() {
        const app = keep(
          fork(join(root, 'build', 'bench', 'app.js'), [daemon.socket], {
            stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          }),
        );
        await new Promise<void>((resolve, reject) => {
          app.once('message', () => resolve());
          app.once('exit', (code) => reject(new Error(`the app of the bench ended with ${code}`)));
        });
      },
      gateway: (agent) => ({ args: [leo, 'mcp-server', '--agent', agent], env }),
    });
  } finally {
    await Promise.all(running.reverse().map(stop));
    rmSync(home, { recursive: true, force: true });
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
}
