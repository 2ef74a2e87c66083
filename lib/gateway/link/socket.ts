// One WebSocket to the daemon, from dialing to its end. The edge; lib/gateway/link/link.ts decides.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { linkPath, maxLinkMessageBytes } from '../../wire/link.js';
import type { Clock } from '../clock.js';
import { encodeFrame, type Frame, FrameError, FrameReader, opcodes } from './frames.js';
import { readUpgradeAnswer, upgradeRequest } from './handshake.js';
import type { Target } from './target.js';

export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onMessage: (data: Buffer) => void;
  /** Comes once, also for a socket that never opened; never before `openSocket` has returned. */
  readonly onClose: (reason: string) => void;
}
export interface LinkSocket {
  send(text: string): void;
  /** Sends what is queued, says goodbye and closes; does not wait for the other end's consent. */
  close(): Promise<void>;
}

/** A stopped daemon's kernel accepts the connection and nobody answers it; then this is how long one waits. */
const handshakeMs = 20_000;
/** On TCP a dead peer says nothing: it is asked this often, and given up after two silences. */
const heartbeatMs = 15_000;
const farewellMs = 300;
const normalClosure = Buffer.from([0x03, 0xe8]);

export function openSocket(target: Target, clock: Clock, events: SocketEvents): LinkSocket {
  const key = randomBytes(16).toString('base64');
  const reader = new FrameReader(maxLinkMessageBytes);
  let answer: Buffer | undefined = Buffer.alloc(0);
  let failure = 'the daemon closed the link';
  let silences = 0;
  let closed = false;
  let corked = false;
  let callOff = clock.after(handshakeMs, () => fail('it accepts connections and does not answer them'));
  let done: () => void = () => {};

  const raw = dial(target);
  let socket = raw;
  watch(raw);
  raw.once('connect', () => {
    if (target.kind === 'tcp' && target.url.protocol === 'wss:') void secure(target.url).then(upgrade);
    else upgrade();
  });

  return { send: (text) => write(opcodes.text, Buffer.from(text)), close };

  function watch(stream: Socket): void {
    stream.on('error', (error: Error) => {
      failure = error.message;
    });
    stream.on('close', () => {
      if (closed) return;
      closed = true;
      callOff();
      raw.destroy();
      done();
      events.onClose(failure);
    });
  }

  async function secure(url: URL): Promise<void> {
    const tls = await import('node:tls'); // Large, and only a daemon behind TLS needs it.
    socket = tls.connect({ socket: raw, servername: hostOf(url) });
    watch(socket);
  }

  function upgrade(): void {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      try {
        if (answer === undefined) take(reader.push(chunk));
        else handshake(Buffer.concat([answer, chunk]));
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        fail(error.message);
      }
    });
    socket.write(upgradeRequest({ ...addressOf(target), key }));
  }

  function handshake(bytes: Buffer): void {
    const read = readUpgradeAnswer(bytes, key);
    if (read.kind === 'more') answer = bytes;
    else if (read.kind === 'refused') fail(read.reason);
    else {
      answer = undefined;
      callOff();
      if (target.kind === 'tcp') beat();
      events.onOpen();
      take(reader.push(read.rest));
    }
  }

  function take(frames: readonly Frame[]): void {
    if (frames.length > 0) silences = 0;
    for (const frame of frames) {
      if (frame.kind === 'message') events.onMessage(frame.data);
      else if (frame.kind === 'ping') write(opcodes.pong, frame.data);
      else if (frame.kind === 'close') {
        if (frame.reason !== '') failure = frame.reason;
        write(opcodes.close, normalClosure);
        socket.end();
      }
    }
  }

  function write(opcode: Parameters<typeof encodeFrame>[0], payload: Buffer): void {
    const mask = target.kind === 'unix' ? undefined : randomBytes(4);
    // What is sent in one turn of the loop leaves in one write.
    if (!corked) {
      corked = true;
      socket.cork();
      setImmediate(() => {
        corked = false;
        socket.uncork();
      });
    }
    for (const piece of encodeFrame(opcode, payload, mask)) socket.write(piece);
  }

  function beat(): void {
    if (silences++ >= 2) fail('it has gone silent');
    else {
      write(opcodes.ping, Buffer.alloc(0));
      callOff = clock.after(heartbeatMs, beat);
    }
  }

  function fail(reason: string): void {
    failure = reason;
    socket.destroy();
  }

  function close(): Promise<void> {
    return new Promise((resolve) => {
      done = resolve;
      clock.after(farewellMs, () => socket.destroy());
      if (answer !== undefined || socket.destroyed) socket.destroy();
      else {
        write(opcodes.close, normalClosure);
        socket.end();
      }
      if (socket.destroyed) resolve();
    });
  }
}

function dial(target: Target): Socket {
  if (target.kind === 'unix') return connect({ path: target.path });
  const { port, protocol } = target.url;
  return connect({ host: hostOf(target.url), port: Number(port || (protocol === 'wss:' ? 443 : 80)) });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function addressOf(target: Target): { host: string; path: string; token: string | undefined } {
  return target.kind === 'unix'
    ? { host: 'localhost', path: linkPath, token: undefined }
    : { host: target.url.host, path: target.url.pathname, token: target.token };
}
