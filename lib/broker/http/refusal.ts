// An answer where there is no response to write it with: to an upgrade that is refused, and to what is no HTTP.

import type { Duplex } from 'node:stream';
import type { LeoError } from '../../wire/errors.js';

/** What a 401 asks for, as HTTP wants it said (RFC 6750). */
export const challenge = 'Bearer realm="leo"';

/** The body of an error's answer. */
export function errorBody(error: LeoError): string {
  return JSON.stringify({ ok: false, error: error.message, code: error.code });
}

/** How long a caller that was refused may keep its side open, in milliseconds. */
const lingerMs = 500;

/** Answers with an error and ends the connection, whether or not the caller ends its side. */
export function refuse(connection: Duplex, error: LeoError): void {
  const body = errorBody(error);
  const head = [
    `HTTP/1.1 ${error.status} ${error.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...(error.code === 'unauthorized' ? [`www-authenticate: ${challenge}`] : []),
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What it still sends is thrown away rather than left unread: an answer can be lost behind unread bytes.
  connection.resume();
  const late = setTimeout(() => connection.destroy(), lingerMs);
  connection.once('close', () => clearTimeout(late));
}
