// Exactly one daemon per LEO_HOME (design 4).
//
// The socket itself says who runs: a connection that is taken, even by a daemon that is stopped (the kernel
// takes it), means that the home has one. Only a refused connection means a stale socket. What stands between
// looking and binding is guarded by a lock file, held for some milliseconds.
//
// Rule: nothing but a socket is ever replaced at the socket's path.

import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { takeLockFile } from '../../config/lock-file.js';
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
const lockPatienceMs = 30_000;

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
  return await takeLockFile(lock, {
    patienceMs: lockPatienceMs,
    // Whoever holds the lock may be up by now, and then there is nothing to wait for.
    whileWaiting: async () => {
      if ((await socketState(socket)) === 'alive') throw alreadyRunning(socket);
    },
  });
}
