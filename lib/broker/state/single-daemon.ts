// Exactly one daemon per LEO_HOME (design 4).
//
// The socket itself says who runs: a connection that is taken, even by a daemon that is stopped (the kernel
// takes it), means that the home has one. Only a refused connection means a stale socket. What stands between
// looking and binding is guarded by a lock file, held for some milliseconds: it is made by linking a file that
// already names its holder, so that it is never empty, and it counts as left behind when its holder is no more.
//
// Rules: nothing but a socket is ever replaced at the socket's path; a lock is broken only by renaming it away
// and finding that what was renamed is the one that was judged.

import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonError } from '../daemon-error.js';

/** What a connection to a socket's path says of it. */
export type SocketState = 'none' | 'stale' | 'alive';

/** Asks the kernel whether anybody listens at a path. Any answer but a refusal means that somebody does. */
export async function socketState(path: string): Promise<SocketState> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  if (!found.isSocket()) {
    const what = found.isSymbolicLink() ? 'a link' : found.isDirectory() ? 'a folder' : 'a file';
    throw new DaemonError('place', `${path} is ${what}, not a socket; move it away, Leo will not remove it`);
  }
  return await new Promise((resolve) => {
    const socket = connect(path);
    const answer = (state: SocketState) => {
      socket.destroy();
      resolve(state);
    };
    socket.once('connect', () => answer('alive'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      answer(error.code === 'ECONNREFUSED' ? 'stale' : error.code === 'ENOENT' ? 'none' : 'alive');
    });
  });
}

/** How long a start may be held up by others that start at the same time, in milliseconds. */
const lockPatienceMs = 15_000;

/**
 * Runs `bind` while no other start looks at the same socket, and only if nobody listens there. A stale socket
 * stays for `bind` to replace, so that a start which fails at something else has taken nothing away.
 *
 * @throws {DaemonError} `running` when a daemon listens, `place` when something else is in the way.
 */
export async function bindAlone<T>(socket: string, lock: string, bind: () => Promise<T>): Promise<T> {
  const release = await takeLock(socket, lock);
  try {
    if ((await socketState(socket)) === 'alive') throw alreadyRunning(socket);
    return await bind();
  } finally {
    release();
  }
}

export function alreadyRunning(socket: string): DaemonError {
  return new DaemonError('running', `a daemon already listens at ${socket}; see it with: leo status`);
}

async function takeLock(socket: string, lock: string): Promise<() => void> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}\n`;
  const candidate = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const end = Date.now() + lockPatienceMs;
  for (;;) {
    writeFileSync(candidate, mine, { mode: 0o600, flag: 'w' });
    const taken = tryLink(candidate, lock);
    rmSync(candidate, { force: true });
    if (taken) {
      return () => {
        if (contentOf(lock) === mine) rmSync(lock, { force: true });
      };
    }
    // Whoever holds the lock may be up by now, and then there is nothing to wait for.
    if ((await socketState(socket)) === 'alive') throw alreadyRunning(socket);
    const holder = contentOf(lock);
    if (holder !== undefined && !isRunning(Number.parseInt(holder, 10))) breakLock(lock, holder);
    else if (Date.now() > end) {
      throw new DaemonError(
        'place',
        `another start has held ${lock} for ${lockPatienceMs / 1000} s; if none is under way: rm ${lock}`,
      );
    } else await delay(5 + Math.random() * 20);
  }
}

function breakLock(lock: string, judged: string): void {
  const away = `${lock}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(lock, away);
  } catch {
    return; // Somebody else broke it.
  }
  // If another start had taken the lock in between, it gets it back.
  if (contentOf(away) !== judged) tryLink(away, lock);
  rmSync(away, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether a process runs; one that may not be signalled does. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
