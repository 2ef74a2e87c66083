// Where the broker listens (design 4, 5, 10): its unix socket, private from the first instant, and loopback
// TCP. Each listener is a plain `http.Server` in front of the one application.

import { randomBytes } from 'node:crypto';
import { lstatSync, renameSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { LeoError } from '../../wire/errors.js';
import { sharedWrites } from '../../wire/shared-writes.js';
import type { Listener } from '../access/principal.js';
import { DaemonError } from '../daemon-error.js';
import type { RequestHandler } from './app.js';
import { refuse } from './refusal.js';

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Options of every server: a missing Host is ours to answer, and idle apps keep their connections. */
export const serverOptions: ServerOptions = {
  requireHostHeader: false,
  keepAliveTimeout: 75_000,
  requestTimeout: 120_000,
  // A phone that lost its network says no goodbye; the kernel then asks whether it is there.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
};

export class Listeners {
  readonly #servers: Server[] = [];
  /** Open connections, without those that have become links. */
  readonly #connections = new Set<Duplex>();
  readonly #kinds = new WeakMap<object, Listener>();

  /** @param refused is told of what was refused because it is no HTTP. */
  constructor(private readonly refused: (error: LeoError) => void) {}

  /** How a request came in. */
  listenerOf(request: IncomingMessage): Listener {
    return this.#kinds.get(request.socket) ?? 'tcp';
  }

  /**
   * Listens on a unix socket of mode 0600, at a path where the caller knows that nothing is but perhaps a stale socket.
   *
   * @returns the identity of the socket's file, to tell later whether it is still ours.
   */
  async bindSocket(path: string, handler: RequestHandler, upgrade: UpgradeHandler): Promise<SocketFile> {
    const server = this.#server('socket', handler, upgrade);
    // Node removes the path that a server was bound at when the server closes, whoever's socket is there by
    // then; so it is bound under a name of its own and renamed. The name is no longer than `leo.sock`.
    const bound = join(dirname(path), `.${randomBytes(4).toString('hex').slice(1)}`);
    // The file is made inside listen(), so the mask in force there decides its mode of the first instant.
    await listening(server, () => {
      const mask = process.umask(0o177);
      try {
        server.listen(bound);
      } finally {
        process.umask(mask);
      }
    });
    renameSync(bound, path);
    return new SocketFile(path);
  }

  /** @throws {DaemonError} `place` when the port is taken. */
  async bindTcp(
    host: string,
    port: number,
    handler: RequestHandler,
    upgrade: UpgradeHandler,
  ): Promise<number> {
    const server = this.#server('tcp', handler, upgrade);
    await listening(server, () => server.listen({ host, port, exclusive: true, ipv6Only: host === '::1' }));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /**
   * Takes no more connections, and ends those that are open once their answers are written. Links stay: they
   * are ended by whoever took them over.
   *
   * @param patienceMs how long an answer may take to leave, in milliseconds.
   */
  async close(patienceMs: number): Promise<void> {
    // A server counts as closed only when its links are gone too, so its own word for it is not waited for.
    const ended = [...this.#connections].map(
      (connection) => new Promise((resolve) => connection.once('close', resolve)),
    );
    for (const server of this.#servers) {
      server.close();
      server.closeIdleConnections();
    }
    const late = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, patienceMs);
    await Promise.all(ended);
    clearTimeout(late);
  }

  #server(kind: Listener, handler: RequestHandler, upgrade: UpgradeHandler): Server {
    const shares = new WeakMap<object, () => void>();
    const responses = new WeakMap<object, ServerResponse>();
    const server = createServer(serverOptions, (request, response) => {
      responses.set(request.socket, response);
      // Answers to requests that came in one read leave in one write.
      shares.get(request.socket)?.();
      handler(request, response);
    });
    server.on('connection', (connection) => {
      this.#kinds.set(connection, kind);
      shares.set(connection, sharedWrites(connection));
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
      const response = responses.get(connection);
      const answering = response?.headersSent === true && !response.writableFinished;
      if (answering || !connection.writable || error.code === 'ECONNRESET') connection.destroy();
      else {
        const refusal = garbage(error);
        this.refused(refusal);
        refuse(connection, refusal);
      }
    });
    server.on('upgrade', (request, connection, head) => {
      this.#connections.delete(connection);
      upgrade(request, connection, head);
    });
    this.#servers.push(server);
    return server;
  }
}

/** What a client is told that does not speak HTTP. */
function garbage(error: NodeJS.ErrnoException): LeoError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new LeoError('too_large', 'the head of the request is larger than 16 KiB');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new LeoError('invalid_request', 'the request has not come whole in time');
  return new LeoError('invalid_request', `this is no HTTP: ${error.message}`);
}

/** A socket's file as it was made: removed at the end only if it is still the same one. */
export class SocketFile {
  readonly #identity: string | undefined;

  constructor(readonly path: string) {
    this.#identity = identityOf(path);
  }

  get isOurs(): boolean {
    return this.#identity !== undefined && identityOf(this.path) === this.#identity;
  }

  remove(): void {
    if (this.isOurs) rmSync(this.path, { force: true });
  }
}

/** Inode numbers are used again, so the time at which the file was made goes with it. */
function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

async function listening(server: Server, listen: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    listen();
  });
}

/** Whether a listener's error says that the address is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** The error of a port that is taken, for people. */
export function portTaken(host: string, port: number): DaemonError {
  return new DaemonError(
    'address',
    `port ${port} on ${host} is taken by another program; set web.port in leo.yaml, or start with --port 0`,
  );
}
