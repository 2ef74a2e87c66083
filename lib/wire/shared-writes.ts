// Small writes of one turn of the event loop, sent as one. Each write of its own is a system call here, a wake-up
// over there, and a read for whoever it is for; with thousands of calls a second those cost more than the calls.
//
// While writes are held back:
// - The socket's own `uncork` does nothing, since Node's HTTP server flushes a connection by it at the end of
//   every answer.
// - A write counts as done when it is held: Node's HTTP server begins to write an answer only when the one before
//   it is done, and answers to requests that came together would leave one a turn.
// - An `end` lets them go first: Node loses the end of a stream that is still corked after it.

import type { Duplex } from 'node:stream';

/** Makes the function that holds a socket's writes back until the end of the current turn. */
export function sharedWrites(socket: Duplex): () => void {
  let held = false;
  const release = () => {
    if (!held) return;
    held = false;
    Reflect.deleteProperty(socket, 'uncork');
    Reflect.deleteProperty(socket, 'write');
    Reflect.deleteProperty(socket, 'end');
    while (socket.writableCorked > 0) socket.uncork();
  };
  const cork = socket.cork.bind(socket);
  const write = socket.write.bind(socket);
  const writeDone: Duplex['write'] = (data: unknown, ...rest: readonly unknown[]) => {
    const encoding = rest.find(isEncoding);
    const done = rest.find(isCallback);
    if (done !== undefined) process.nextTick(done);
    return encoding === undefined ? write(data) : write(data, encoding);
  };
  return () => {
    if (held) return;
    held = true;
    cork();
    socket.uncork = () => undefined;
    socket.write = writeDone;
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

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string';
}

function isCallback(value: unknown): value is (error?: Error | null) => void {
  return typeof value === 'function';
}
