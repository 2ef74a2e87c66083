// The CLI as a user runs it: to its end, or as a process that goes on.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Test } from 'tap';
import { leo } from './daemon.js';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export interface RunningLeo {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Ran>;
}

/** Starts `leo` with arguments; it is killed with its test. */
export function startLeo(t: Test, env: Env, ...args: readonly string[]): RunningLeo {
  const child = spawn(process.execPath, [leo, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ran>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs `leo` with arguments to its end. */
export async function runLeo(t: Test, env: Env, ...args: readonly string[]): Promise<Ran> {
  return await startLeo(t, env, ...args).ended;
}
