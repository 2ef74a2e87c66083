// Small writes of one turn of the event loop, sent as one: each write of its own is a system call here, a wake-up
// over there, and a read for whoever it is for.

import type { Duplex } from 'node:stream';

/** Makes the function that holds a socket's writes back until the end of the current turn. */
export function sharedWrites(socket: Duplex): () => void {
  let held = false;
  return () => {
    if (held) return;
    held = true;
    socket.cork();
    setImmediate(() => {
      held = false;
      socket.uncork();
    });
  };
}
