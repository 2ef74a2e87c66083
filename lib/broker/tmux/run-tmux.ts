// tmux, on Leo's own server (design 9): never the user's, and never with the user's configuration.
//
// What must stay true: a command ends within `answerWithinMs`, also when the server is stopped; what goes wrong is
// said in words with a reason that can be told apart; secrets go by stdin or the environment, never by argument.
//
// `display-message -t` succeeds for a pane that is not there; `list-panes` and `capture-pane` do not.
// tmux takes an argument that ends in `;` for the end of a command, and no more than 16 KB of arguments: what a
// person or an agent wrote goes by stdin or a file.

import { spawn } from 'node:child_process';

/** How long tmux may take for one command, in milliseconds. */
const answerWithinMs = 10_000;

/** The oldest tmux that has what Leo uses. */
const oldest = { major: 3, minor: 2 };

/**
 * What tmux could not do:
 * - `missing`, `too_old`: the program;
 * - `gone`: no server runs;
 * - `not_found`: the server knows no such pane, session or buffer;
 * - `silent`: the server does not answer;
 * - `refused`: anything else, in tmux's own words.
 */
export type TmuxFault = 'missing' | 'too_old' | 'gone' | 'not_found' | 'silent' | 'refused';

/** A tmux command that failed; the message says what to do. */
export class TmuxError extends Error {
  override readonly name = 'TmuxError';

  constructor(
    readonly fault: TmuxFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs one tmux command, or several with `;` between them, and gives what it printed. */
export type Tmux = (
  args: readonly string[],
  stdin?: string | Uint8Array,
  /** The environment of the client, which a server or a session that it makes takes over. */
  env?: NodeJS.ProcessEnv,
) => Promise<string>;

/** Which tmux server is meant, and where its program is looked for. */
export interface TmuxPlace {
  /** As `tmux -L` takes it. */
  readonly server: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The arguments that every command on a server starts with. */
export function serverArgs(server: string): readonly string[] {
  // -u: what is captured comes as it is, whatever the locale of the daemon.
  return ['-u', '-L', server, '-f', '/dev/null'];
}

/**
 * A runner for one server.
 *
 * @returns a function that throws {TmuxError}.
 */
export function tmuxOn({ server, env }: TmuxPlace): Tmux {
  let checked: Promise<void> | undefined;
  return async (args, stdin, clientEnv = env) => {
    checked ??= checkVersion(env);
    try {
      await checked;
    } catch (error) {
      // It may be installed in the meantime.
      checked = undefined;
      throw error;
    }
    const { code, out, err } = await run([...serverArgs(server), ...args], stdin, clientEnv);
    if (code === 0) return out;
    throw faultOf(err.trim() || `tmux ended with ${code}`, server);
  };
}

/** What a line on tmux's stderr means. Pure. */
export function faultOf(message: string, server: string): TmuxError {
  if (/no server running|error connecting to|server exited|lost server/i.test(message))
    return new TmuxError('gone', `Leo's tmux server is not running (tmux -L ${server}): ${message}`);
  if (/can't find|no such (?:pane|session|window|buffer)|no buffer/i.test(message))
    return new TmuxError('not_found', `tmux ${message}`);
  return new TmuxError('refused', `tmux refuses: ${message}`);
}

/** Whether a `tmux -V` is new enough; undefined where it names no number, as one built from its sources does. Pure. */
export function isNewEnough(version: string): boolean | undefined {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return Number(major) > oldest.major || (Number(major) === oldest.major && Number(minor) >= oldest.minor);
}

async function checkVersion(env: NodeJS.ProcessEnv): Promise<void> {
  const { out } = await run(['-V'], undefined, env);
  if (isNewEnough(out) === false) {
    throw new TmuxError(
      'too_old',
      `this is ${out.trim()}; Leo needs tmux ${oldest.major}.${oldest.minor} or later`,
    );
  }
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(
  args: readonly string[],
  stdin: string | Uint8Array | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('tmux', [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new TmuxError(
          'silent',
          `tmux has not answered within ${answerWithinMs / 1000} s; its server may be stopped`,
        ),
      );
    }, answerWithinMs);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        error.code === 'ENOENT'
          ? new TmuxError(
              'missing',
              'tmux is not installed; agents run in it: install tmux 3.2 or later, and see that the daemon has it on PATH',
              { cause: error },
            )
          : new TmuxError('refused', `tmux cannot be run: ${error.message}`, { cause: error }),
      );
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({
        code: code ?? 1,
        out: Buffer.concat(out).toString('utf8'),
        err: Buffer.concat(err).toString('utf8'),
      });
    });
    // One that ends early has said why on stderr.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}
