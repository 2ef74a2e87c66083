// One gateway's link (lib/wire/link.ts): its messages become decisions of the core, and the core's effects for
// its session become messages. A message that breaks the rules is answered or ignored; it never ends the link
// of a gateway that is otherwise well, save for a `hello` that cannot be served.

import type { WebSocket } from 'ws';
import { isDenied } from '../../wire/deny.js';
import { LeoError } from '../../wire/errors.js';
import { requestId, requestIdPattern, type SessionId, sessionId } from '../../wire/ids.js';
import { isObject } from '../../wire/json.js';
import { isDeeperThan, maxJsonDepth } from '../../wire/json-depth.js';
import {
  callParams,
  encodeOutcome,
  harnessSeenParams,
  helloParams,
  linkClose,
  linkError,
  listChangedSentParams,
  sendParams,
  sessionChangedParams,
  toolOfLinkMethod,
  type WireCall,
  type WireHello,
  type WireSend,
} from '../../wire/link.js';
import { commonProtocol, noCommonProtocol, spoken, spokenBy } from '../../wire/link-protocol.js';
import { agentsOf } from '../agents/agent-requests.js';
import type { Broker, SessionEffect, SessionLink } from '../broker.js';
import { checksMadeLater, type LaterCheck } from '../check/compiled-later.js';
import { ClaimNotices } from './claim-notices.js';
import { parkRequest } from './park-request.js';
import { parseRpc, type RpcMessage, rpcError, rpcNotification, rpcResult } from './rpc.js';

const checkOf = checksMadeLater({ allowUnionTypes: true });
const isHello: LaterCheck<WireHello> = checkOf(helloParams);
const isSessionChange: LaterCheck<Pick<WireHello, 'harness' | 'mode'>> = checkOf(sessionChangedParams);
const isListChangedSent: LaterCheck<{ readonly times: number }> = checkOf(listChangedSentParams);
const isHarnessSeen: LaterCheck<{ readonly relists: boolean }> = checkOf(harnessSeenParams);
const isCall: LaterCheck<WireCall> = checkOf(callParams);
const isSend: LaterCheck<WireSend> = checkOf(sendParams);
const isRequestId = new RegExp(requestIdPattern);

/** What a gateway may leave unread before it is cut off: it comes back and resumes its calls. */
const maxUnsentBytes = 64 * 1024 * 1024;

export interface LinkOptions {
  readonly broker: Broker;
  readonly log: (line: string) => void;
  /** Called when the gateway has said whose session it is. */
  readonly onHello: (session: SessionId) => void;
  /** Called before a message is sent: holds it back to the end of this turn, to go with others. */
  readonly shareWrite: () => void;
}

export class GatewayLink implements SessionLink {
  readonly #socket: WebSocket;
  readonly #broker: Broker;
  readonly #log: (line: string) => void;
  readonly #onHello: (session: SessionId) => void;
  readonly #shareWrite: () => void;
  readonly #claims = new ClaimNotices((id, by) => this.#notify('call/claimed', { id, client_id: by }));
  #session: SessionId | undefined;
  #saidBye = false;
  #replaced = false;

  constructor(socket: WebSocket, { broker, log, onHello, shareWrite }: LinkOptions) {
    this.#socket = socket;
    this.#broker = broker;
    this.#log = log;
    this.#onHello = onHello;
    this.#shareWrite = shareWrite;
    socket.on('message', (data, isBinary) => {
      // What a replaced link still says is of a gateway that has gone on without it.
      if (!isBinary && !this.#replaced) this.#takeSafely(parseRpc(String(data)));
    });
    socket.on('close', () => this.#claims.stop());
    socket.on('error', (error) => log(`link: ${error.message}`));
  }

  /** The session of this link, once it has said hello. */
  get session(): SessionId | undefined {
    return this.#session;
  }

  /** Whether the gateway has said that its session is over. */
  get saidBye(): boolean {
    return this.#saidBye;
  }

  deliver(effect: SessionEffect): void {
    switch (effect.type) {
      case 'outcome':
        this.#claims.drop(effect.id);
        return this.#send(JSON.stringify(encodeOutcome(effect.id, effect.outcome)));
      case 'claimed':
        return this.#claims.add(effect.id, effect.by);
      case 'unclaimed':
        if (this.#claims.drop(effect.id)) return;
        return this.#notify('call/unclaimed', { id: effect.id });
      case 'progress':
        return this.#notify('call/progress', { id: effect.id, ...effect.progress });
    }
  }

  catalogueChanged(catalogue: string): void {
    this.#send(rpcNotification('catalogue/changed', catalogue));
  }

  deniedChanged(denied: readonly string[]): void {
    this.#notify('denied/changed', { denied });
  }

  /** Ends the link because the same session has come back on another. */
  replaced(): void {
    this.#replaced = true;
    this.#socket.close(linkClose.replaced, 'this session has a newer link');
  }

  /** A fault of ours costs this link and not the daemon; the gateway comes back and resumes its calls. */
  #takeSafely(message: RpcMessage): void {
    try {
      this.#take(message);
    } catch (error) {
      const what = message.kind === 'invalid' ? message.kind : message.method;
      this.#log(`error: link: ${what}: ${error instanceof Error ? error.stack : error}`);
      this.#socket.terminate();
    }
  }

  #take(message: RpcMessage): void {
    if (message.kind === 'invalid') return;
    if (message.kind === 'notification') return this.#notified(message.method, message.params);
    const { id, method, params } = message;
    if (method === 'hello') return this.#hello(id, params);
    const session = this.#session;
    if (session === undefined)
      return this.#send(rpcError(id, linkError.invalidParams, 'the first message must be hello'));
    if (method === 'call') return this.#call(session, id, params);
    const deniedTool = this.#deniedOwnTool(session, method);
    if (deniedTool !== undefined) {
      const why = `deny_tools in leo.yaml denies ${deniedTool} to this agent`;
      return this.#send(rpcError(id, linkError.refused, why, { code: 'denied' }));
    }
    if (method === 'agents/list') {
      return this.#send(rpcResult(id, JSON.stringify({ agents: agentsOf(this.#broker) })));
    }
    if (method === 'message/send') {
      void this.#sendMessage(session, id, params);
      return;
    }
    this.#send(rpcError(id, linkError.methodNotFound, `there is no method ${JSON.stringify(method)}`));
  }

  /** The tool of Leo's that a method is for, where the session's agent is denied it. */
  #deniedOwnTool(session: SessionId, method: string): string | undefined {
    const tool = toolOfLinkMethod.get(method);
    const agent = this.#broker.core.agentOf(session);
    if (tool === undefined || agent === undefined) return undefined;
    return isDenied(this.#broker.deniedFor(agent), tool) ? tool : undefined;
  }

  #hello(id: string | number, params: unknown): void {
    if (this.#session !== undefined)
      return this.#send(rpcError(id, linkError.invalidParams, 'hello was said on this link already'));
    const theirs = spokenBy(params);
    const protocol = theirs && commonProtocol(spoken, theirs);
    if (protocol === undefined) {
      const other = isObject(params) && typeof params.version === 'string' ? params.version : undefined;
      const why = noCommonProtocol(
        { version: other, spoken: theirs },
        { version: this.#broker.version, spoken },
      );
      return this.#refuseHello(id, linkError.protocol, why);
    }
    if (!isHello(params)) {
      const fault = isHello.errors?.[0];
      const why = `hello: at ${fault?.instancePath || '/'}: ${fault?.message}`;
      return this.#refuseHello(id, linkError.invalidParams, why);
    }
    const session = sessionId(params.session);
    const { agent, harness, mode, version: gatewayVersion } = params;
    const before = this.#broker.core.agentOf(session);
    if (before !== undefined && before !== agent) {
      const why = `hello: the session is of the agent ${JSON.stringify(before)}, not of ${JSON.stringify(agent)}`;
      return this.#refuseHello(id, linkError.invalidParams, why);
    }
    this.#session = session;
    this.#onHello(session);
    this.#broker.addLink(session, this);
    const { epoch, version, seen } = this.#broker;
    const denied = this.#broker.deniedFor(agent);
    const relists = seen.relists(harness) ?? null;
    const head = { protocol, version, epoch, denied, relists };
    // The catalogue is spliced in as the text that all gateways share.
    this.#send(
      rpcResult(id, `${JSON.stringify(head).slice(0, -1)},"catalogue":${this.#broker.catalogueJson()}}`),
    );
    this.#broker.decide((core, now) =>
      core.openSession({ id: session, agent, harness, mode, version: gatewayVersion, startedAt: now }),
    );
  }

  #refuseHello(id: string | number, code: number, why: string): void {
    this.#send(rpcError(id, code, why));
    this.#socket.close(linkClose.protocol, 'hello cannot be served');
  }

  #call(session: SessionId, id: string | number, params: unknown): void {
    if (typeof id !== 'string' || !isRequestId.test(id)) {
      return this.#send(rpcError(id, linkError.invalidParams, `a call's id must match ${requestIdPattern}`));
    }
    if (!isCall(params)) {
      const fault = isCall.errors?.[0];
      return this.#send(
        rpcError(id, linkError.invalidParams, `call: at ${fault?.instancePath || '/'}: ${fault?.message}`),
      );
    }
    if (isDeeperThan(params.arguments, maxJsonDepth)) {
      const outcome = {
        ok: false,
        code: 'invalid_arguments',
        message: `the arguments nest deeper than ${maxJsonDepth} levels`,
      } as const;
      this.#broker.neverParked(session, requestId(id), outcome.code);
      return this.#send(JSON.stringify(encodeOutcome(id, outcome)));
    }
    try {
      this.#broker.decide((core, now) => core.park(parkRequest(session, requestId(id), params), now));
    } catch (error) {
      if (!(error instanceof LeoError)) throw error;
      this.#send(rpcError(id, linkError.invalidParams, error.message));
    }
  }

  /** A message of this session's agent; answered when it was typed or refused. */
  async #sendMessage(session: SessionId, id: string | number, params: unknown): Promise<void> {
    const from = this.#broker.core.agentOf(session);
    if (from === undefined || !isSend(params)) {
      const fault = isSend.errors?.[0];
      const why = `message/send: at ${fault?.instancePath || '/'}: ${fault?.message ?? 'the session is over'}`;
      return this.#send(rpcError(id, linkError.invalidParams, why));
    }
    try {
      const sent = await this.#broker.messages.send({
        to: params.to,
        text: params.text,
        from,
        sender: from,
        shorthand: true,
      });
      this.#send(rpcResult(id, JSON.stringify(sent)));
    } catch (error) {
      const known = error instanceof LeoError;
      if (!known) this.#log(`error: link: message/send: ${error instanceof Error ? error.stack : error}`);
      const message = known ? error.message : 'something is wrong in the daemon; its log says what';
      this.#send(rpcError(id, linkError.refused, message, { code: known ? error.code : 'failed' }));
    }
  }

  #notified(method: string, params: unknown): void {
    const session = this.#session;
    if (session === undefined) return;
    if (method === 'bye') {
      this.#saidBye = true;
      return this.#broker.decide((core) => core.closeSession(session));
    }
    if (method === 'session/changed') {
      if (!isSessionChange(params)) return;
      const { harness, mode } = params;
      return this.#broker.decide((core) => core.changeSession(session, { harness, mode }));
    }
    if (method === 'list_changed/sent') {
      if (isListChangedSent(params)) this.#broker.metrics.listChanged(params.times);
      return;
    }
    if (method === 'harness/seen') {
      const harness = this.#broker.core.harnessOf(session);
      if (harness !== null && isHarnessSeen(params)) this.#broker.seen.see(harness, params.relists);
      return;
    }
    const id = isObject(params) && typeof params.id === 'string' ? requestId(params.id) : undefined;
    if (id === undefined) return;
    if (method === 'call/cancel') this.#broker.decide((core) => core.cancel(session, id));
    else if (method === 'call/received') this.#broker.core.received(session, id);
  }

  #notify(method: string, params: object): void {
    this.#send(rpcNotification(method, JSON.stringify(params)));
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#shareWrite();
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.#socket.terminate();
  }
}
