// stdout as a stream that tells when its reader is gone.
//
// Where it is a socket, as Node and most harnesses make their children's pipes, reading from it brings the end
// of the other side without a write. A plain pipe tells only when it is written to.

import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Opens stdout.
 *
 * @param onGone the reader has closed its end; may come more than once.
 */
export function openStdout(onGone: () => void): Writable {
  const stdin = fstatSync(0);
  const stdout = fstatSync(1);
  // One socket for both directions is stdin's to read.
  const shared = stdin.ino === stdout.ino && stdin.dev === stdout.dev;
  if (!stdout.isSocket() || shared) return process.stdout;
  const socket = new Socket({ fd: 1, readable: true, writable: true, allowHalfOpen: true });
  socket.on('end', onGone);
  socket.resume();
  return socket;
}
