// One WebSocket to the daemon, from dialing to its end. The edge; lib/gateway/link/link.ts decides.

import { connect } from 'node:net';
import WebSocket from 'ws';
import { maxLinkMessageBytes } from '../../wire/link.js';
import { routes } from '../../wire/routes.js';
import type { Clock } from '../clock.js';
import type { Target } from './target.js';

export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onMessage: (data: Buffer) => void;
  /** Comes once, also for a socket that never opened. */
  readonly onClose: (end: { readonly code: number; readonly reason: string }) => void;
}
export interface LinkSocket {
  send(text: string): void;
  /** Sends what is queued and closes; does not wait for the other end's consent. */
  close(): Promise<void>;
}

/** A stopped daemon's kernel accepts the connection and nobody answers it; then this is how long one waits. */
const handshakeMs = 20_000;
/** On TCP a dead peer says nothing: it is asked this often, and given up after two silences. */
const heartbeatMs = 15_000;
const farewellMs = 300;

export function openSocket(target: Target, clock: Clock, events: SocketEvents): LinkSocket {
  const options = {
    perMessageDeflate: false,
    maxPayload: maxLinkMessageBytes,
    handshakeTimeout: handshakeMs,
  };
  const socket =
    target.kind === 'unix'
      ? new WebSocket(`ws://localhost${routes.gateway.path}`, {
          ...options,
          // Not `ws+unix:`, which would split a path at its first colon.
          createConnection: () => connect({ path: target.path }),
        })
      : new WebSocket(target.url, { ...options, headers: { authorization: `Bearer ${target.token}` } });

  let failure = '';
  let stopHeartbeat = () => {};
  socket.on('open', () => {
    if (target.kind === 'tcp') stopHeartbeat = heartbeat(socket, clock);
    events.onOpen();
  });
  socket.on('message', (data) => events.onMessage(asBuffer(data)));
  socket.on('error', (error) => {
    failure = error.message;
  });
  socket.on('close', (code, reason) => {
    stopHeartbeat();
    events.onClose({ code, reason: failure || reason.toString() || 'the daemon closed the link' });
  });

  return {
    send: (text) => socket.send(text),
    close: () =>
      new Promise((resolve) => {
        const callOff = clock.after(farewellMs, () => {
          socket.terminate();
          resolve();
        });
        socket.once('close', () => {
          callOff();
          resolve();
        });
        if (socket.readyState === WebSocket.OPEN) socket.close(1000);
        else socket.terminate();
      }),
  };
}

function asBuffer(data: WebSocket.RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** Pings a peer and cuts the link when it stays silent; returns how to stop. */
function heartbeat(socket: WebSocket, clock: Clock): () => void {
  let silences = 0;
  let callOff = () => {};
  const alive = () => {
    silences = 0;
  };
  socket.on('pong', alive);
  socket.on('message', alive);
  const beat = () => {
    if (silences++ >= 2) socket.terminate();
    else {
      socket.ping();
      callOff = clock.after(heartbeatMs, beat);
    }
  };
  beat();
  return () => callOff();
}
