// A start of the daemon that is expected to end by itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { leo } from './daemon.js';

export interface EndedStart {
  readonly code: number | null;
  /** What it wrote to stderr. */
  readonly words: string;
}

/** Runs `leo daemon --port 0` in a home until it ends; it is killed with the test. */
export async function startToEnd(
  t: Test,
  home: string,
  args: readonly string[] = ['--port', '0'],
): Promise<EndedStart> {
  const child = spawn(process.execPath, [leo, 'daemon', ...args], {
    env: { ...process.env, LEO_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    words += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, words };
}
