// The broker's end of the gateway links (lib/wire/link.ts has the rules): upgrades, one session per link, and
// what happens to a session whose link is lost.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { LeoError } from '../../wire/errors.js';
import type { SessionId } from '../../wire/ids.js';
import { linkClose, maxLinkMessageBytes, tcpSessionGraceMs } from '../../wire/link.js';
import { type Route, routes } from '../../wire/routes.js';
import { sharedWrites } from '../../wire/shared-writes.js';
import type { Principal } from '../access/principal.js';
import type { Broker } from '../broker.js';
import { authorize, type HttpOptions } from '../http/app.js';
import { refuse } from '../http/refusal.js';
import { GatewayLink } from './gateway-link.js';

export class LinkServer {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: maxLinkMessageBytes,
    perMessageDeflate: false,
  });
  readonly #graces = new Map<SessionId, NodeJS.Timeout>();
  /** The open links, and who opened each. */
  readonly #sockets = new Map<WebSocket, Principal>();
  #closing = false;

  constructor(readonly options: HttpOptions) {
    this.#server.on('wsClientError', (error, socket) =>
      this.#refuse(
        socket,
        new LeoError('invalid_request', `this is no WebSocket upgrade: ${error.message}`),
        routes.gateway,
      ),
    );
  }

  /** Takes an upgrade, or answers why not. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Until it is a WebSocket, a caller that breaks off is nobody's fault.
    socket.on('error', () => socket.destroy());
    const route = request.url?.split('?')[0] === routes.gateway.path ? routes.gateway : undefined;
    let principal: Principal | null;
    try {
      principal = authorize(this.options, request, route);
      if (route === undefined || principal === null)
        throw new LeoError('not_found', 'only the gateway link can be upgraded to');
    } catch (error) {
      if (!(error instanceof LeoError)) throw error;
      return this.#refuse(socket, error, route);
    }
    const opener = principal;
    const listener = this.options.listenerOf(request);
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      this.#open(webSocket, opener, listener === 'socket', sharedWrites(socket)),
    );
  }

  #refuse(socket: Duplex, error: LeoError, route: Route | undefined): void {
    this.options.refusals.refused(error, { method: 'upgrade', route: route?.path });
    refuse(socket, error);
  }

  /** Ends the links of gateways whose token does not count any more. */
  endRevoked(holds: (principal: Principal) => boolean): void {
    for (const [socket, principal] of this.#sockets) if (!holds(principal)) socket.terminate();
  }

  /**
   * Tells every gateway to come back later, and lets go. Their sessions do not end by this.
   *
   * @param patienceMs how long a gateway may take to say goodbye, in milliseconds.
   */
  async close(patienceMs: number): Promise<void> {
    this.#closing = true;
    for (const timer of this.#graces.values()) clearTimeout(timer);
    const closed = [...this.#sockets.keys()].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const socket of this.#sockets.keys()) socket.close(linkClose.restarting, 'the daemon stops');
    const late = setTimeout(() => {
      for (const socket of this.#sockets.keys()) socket.terminate();
    }, patienceMs);
    await Promise.all(closed);
    clearTimeout(late);
    this.#server.close();
  }

  #open(socket: WebSocket, principal: Principal, local: boolean, shareWrite: () => void): void {
    const { broker, log } = this.options;
    this.#sockets.set(socket, principal);
    const onHello = (session: SessionId) => {
      clearTimeout(this.#graces.get(session));
      this.#graces.delete(session);
    };
    const link = new GatewayLink(socket, { broker, log, onHello, shareWrite });
    socket.on('close', () => {
      this.#sockets.delete(socket);
      const session = link.session;
      if (session === undefined || this.#closing) return;
      broker.removeLink(session, link);
      if (broker.hasLink(session)) return;
      // A unix socket closes when its process ends; a network may lose a link whose gateway lives on.
      if (local || link.saidBye) broker.decide((core) => core.closeSession(session));
      else this.#closeAfterGrace(broker, session);
    });
  }

  #closeAfterGrace(broker: Broker, session: SessionId): void {
    clearTimeout(this.#graces.get(session));
    const timer = setTimeout(() => {
      this.#graces.delete(session);
      if (!broker.hasLink(session)) broker.decide((core) => core.closeSession(session));
    }, tcpSessionGraceMs);
    this.#graces.set(session, timer);
  }
}
