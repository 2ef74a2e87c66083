// The HTTP upgrade that opens a WebSocket (RFC 6455, section 4), from the client's side. Pure.

import { createHash } from 'node:crypto';

export interface Upgrade {
  readonly host: string;
  readonly path: string;
  /** 16 random bytes in base64. */
  readonly key: string;
  readonly token: string | undefined;
}

export function upgradeRequest(upgrade: Upgrade): string {
  const lines = [
    `GET ${upgrade.path} HTTP/1.1`,
    `Host: ${upgrade.host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${upgrade.key}`,
    ...(upgrade.token === undefined ? [] : [`Authorization: Bearer ${upgrade.token}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** What the answer to an upgrade is so far. */
export type UpgradeAnswer =
  | { readonly kind: 'more' }
  /** Frames follow, the first of them perhaps in `rest`. */
  | { readonly kind: 'open'; readonly rest: Buffer }
  | { readonly kind: 'refused'; readonly reason: string };

const maxHeadBytes = 16 * 1024;

export function readUpgradeAnswer(bytes: Buffer, key: string): UpgradeAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    return bytes.length > maxHeadBytes
      ? { kind: 'refused', reason: 'whoever listens there is no Leo daemon' }
      : { kind: 'more' };
  }
  const head = bytes.toString('latin1', 0, end);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (status !== '101') {
    const said = bytes.toString('utf8', end + 4, end + 4 + 500).trim();
    return { kind: 'refused', reason: `it answered HTTP ${status ?? '?'}${said === '' ? '' : `: ${said}`}` };
  }
  const accept = /\r\nsec-websocket-accept:[ \t]*(\S+)/i.exec(head)?.[1];
  return accept === acceptFor(key)
    ? { kind: 'open', rest: bytes.subarray(end + 4) }
    : { kind: 'refused', reason: 'whoever listens there does not speak WebSocket' };
}

function acceptFor(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}
