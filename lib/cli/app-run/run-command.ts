// Runs one command for one call: arguments on stdin, stdout gathered, and nothing of it left when it ends.
//
// What must stay true:
// - The command leads a process group of its own, and the group is ended with the call: SIGTERM, then SIGKILL to
//   what is left of it after `killAfterMs`.
// - What is kept of its output is bounded, however much it writes.
// - It is over when the command has exited, even if something that it left behind keeps its output open; what was
//   left behind in its group is ended too.

import { type ChildProcess, spawn } from 'node:child_process';
import { type CommandEnd, maxOutputBytes, shownErrorCharacters } from './command-answer.js';

/** How long a command that was told to end may take, in milliseconds. */
export const killAfterMs = 2000;
/** How long output is waited for after the command has exited, in milliseconds. */
const drainMs = 250;

export interface CommandRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Written to stdin, which is closed then. */
  readonly stdin: string;
  /** Ends the command. */
  readonly signal: AbortSignal;
}

/** Runs a command to its end; also a command that cannot be started ends. */
export function runCommand({ argv, cwd, env, stdin, signal }: CommandRun): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const [program = '', ...args] = argv;
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    } catch (error) {
      resolve({ how: 'not_started', reason: reasonOf(error, program, cwd) });
      return;
    }
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;
    let tooMuch = false;
    let stderr = '';
    let killTimer: NodeJS.Timeout | undefined;
    let drainTimer: NodeJS.Timeout | undefined;

    const end = () => {
      signalGroup(child, 'SIGTERM');
      killTimer ??= setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs);
    };
    const over = (how: CommandEnd) => {
      clearTimeout(drainTimer);
      clearTimeout(killTimer);
      signal.removeEventListener('abort', end);
      child.stdout?.destroy();
      child.stderr?.destroy();
      // What it left behind in its group.
      signalGroup(child, 'SIGKILL');
      resolve(how);
    };

    child.stdout?.on('data', (chunk: Buffer) => {
      if (tooMuch) return;
      stdoutBytes += chunk.length;
      tooMuch = stdoutBytes > maxOutputBytes;
      if (tooMuch) {
        stdout.length = 0;
        end();
      } else stdout.push(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-2 * shownErrorCharacters);
    });
    // A command need not read its stdin.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);

    child.on('error', (error) => over({ how: 'not_started', reason: reasonOf(error, program, cwd) }));
    const ended = (code: number | null, by: NodeJS.Signals | null) =>
      over(
        tooMuch
          ? { how: 'too_much_output' }
          : { how: 'exited', code, signal: by, stdout: Buffer.concat(stdout), stderr },
      );
    child.on('exit', (code, by) => {
      drainTimer = setTimeout(() => ended(code, by), drainMs);
    });
    child.on('close', ended);

    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

/** Signals a command's whole group; one that is gone is no error. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
}

function reasonOf(error: unknown, program: string, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `there is no ${program} to run in ${cwd}`;
  if (code === 'EACCES') return `${program} in ${cwd} may not be run; perhaps: chmod +x ${program}`;
  return error instanceof Error ? error.message : String(error);
}
