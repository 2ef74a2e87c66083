// The rest of a body that is refused. A connection that is closed under a client that still writes shows it an
// error of the network instead of the answer, so what it has yet to send is read and thrown away first, for a
// while.

import type { IncomingMessage } from 'node:http';

/** How long a client may take to send what nobody wants, in milliseconds. */
const patienceMs = 5000;

/** Resolves when a request has come whole, has broken off, or has taken too long. */
export async function throwAwayBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const over = () => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(over, patienceMs);
    request.once('end', over).once('close', over).on('error', over).resume();
  });
}
