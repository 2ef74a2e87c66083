// A harness as a process of the probe's own: in a process group, so that nothing of it outlives the run.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface HarnessProcess {
  readonly pid: number;
  /** What it wrote so far, both streams, for the words of an error. */
  output(): string;
  /** Resolves when it ended, with its code or the signal's name. */
  readonly ended: Promise<string>;
  /**
   * Resolves when it ended and all that it wrote was read, or soon after the end: what it started may hold its
   * output open.
   */
  readonly spoken: Promise<void>;
  write(text: string): void;
  endInput(): void;
  onLine(listener: (line: string) => void): void;
  /** A signal for the process itself, as a user or a supervisor would send it. */
  signal(name: NodeJS.Signals): void;
  /** SIGKILL for its whole group. */
  destroy(): void;
}

const keptOutput = 100_000;
const spokenLimitMs = 250;

/** Starts a harness. Its environment is exactly what is given. */
export function startHarness(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): HarnessProcess {
  const child: ChildProcessWithoutNullStreams = spawn(program, args, { cwd, env, detached: true });
  let output = '';
  let line = '';
  const listeners: ((line: string) => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      output = (output + chunk).slice(-keptOutput);
    });
  }
  child.stdout.on('data', (chunk: string) => {
    const parts = (line + chunk).split('\n');
    line = parts.pop() ?? '';
    for (const part of parts) for (const listener of listeners) listener(part);
  });
  child.stdin.on('error', () => undefined); // It ended without reading; its end says more.
  const ended = new Promise<string>((done) => {
    child.on('error', (error) => {
      output += error.message;
      done(`not started: ${error.message}`);
    });
    child.on('exit', (code, signal) => done(signal ?? `exit code ${code}`));
  });
  const closed = new Promise<void>((done) => {
    child.on('close', () => done());
  });
  const spoken = ended.then(async () => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((done) => {
      timer = setTimeout(done, spokenLimitMs);
    });
    await Promise.race([closed, limit]);
    clearTimeout(timer);
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    spoken,
    write: (text) => {
      child.stdin.write(text);
    },
    endInput: () => child.stdin.end(),
    onLine: (listener) => {
      listeners.push(listener);
    },
    signal: (name) => {
      child.kill(name);
    },
    destroy: () => {
      for (const stream of child.stdio) stream?.destroy();
      if (child.pid !== undefined) killGroup(child.pid);
    },
  };
}

/** The end of what a harness wrote, for an error's text. */
export function lastWords(output: string): string {
  return output.trim().slice(-500) || 'it wrote nothing';
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
