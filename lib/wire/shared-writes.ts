// Small writes of one turn of the event loop, sent as one. Each write of its own is a system call here, a wake-up
// over there, and a read for whoever it is for; with thousands of calls a second those cost more than the calls.
//
// While writes are held back the socket's own `uncork` does nothing, since Node's HTTP server flushes a
// connection by it at the end of every answer. An `end` lets them go first: Node loses the end of a stream that is
// still corked after it.

import type { Duplex } from 'node:stream';

/** Makes the function that holds a socket's writes back until the end of the current turn. */
export function sharedWrites(socket: Duplex): () => void {
  let held = false;
  const release = () => {
    if (!held) return;
    held = false;
    Reflect.deleteProperty(socket, 'uncork');
    Reflect.deleteProperty(socket, 'end');
    while (socket.writableCorked > 0) socket.uncork();
  };
  const cork = socket.cork.bind(socket);
  return () => {
    if (held) return;
    held = true;
    cork();
    socket.uncork = () => undefined;
    socket.end = (...rest: []) => {
      release();
      return socket.end(...rest);
    };
    setImmediate(release);
  };
}

/** Shares the writes of a socket whose user corks it around each message of its own. */
export function shareCorkedWrites(socket: Duplex): void {
  const hold = sharedWrites(socket);
  socket.cork = hold;
}
