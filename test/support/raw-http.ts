// HTTP told to the byte, for what no HTTP client would send.

import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly text: string;
  /** What follows the first empty line. */
  readonly body: string;
}

/**
 * Sends pieces, each in a write of its own, and reads until the other side ends the connection.
 *
 * @param at a socket's path, or `http://host:port`.
 */
export async function rawHttp(at: string, ...pieces: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const url = at.includes('://') ? new URL(at) : undefined;
  const socket =
    url === undefined
      ? connect(at)
      : connect(Number(url.port), url.hostname.replace(/^\[|\]$/g, '')).setNoDelay(true);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'connect'), closed]);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await turn();
  }
  await closed;
  const blank = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    text,
    body: blank < 0 ? '' : text.slice(blank + 4),
  };
}
