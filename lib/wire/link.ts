// The link between a gateway and the broker: JSON-RPC 2.0 over one WebSocket (design 1, 7, 8).
//
// Rules that both ends keep:
// - The gateway's first message is the request `hello`, with the versions of this protocol that it speaks
//   (lib/wire/link-protocol.ts has the rules). A broker that speaks none of them answers with an error in words and
//   closes with `linkClose.protocol`; the gateway shows those words to its agent and keeps trying, since the daemon
//   may be replaced by a newer one.
// - A call is a request `call` whose JSON-RPC id is the call's own RequestId; its response is the outcome and
//   comes once, minutes or days later. The gateway makes the id, holds the call and its arguments, and sends
//   the same request again, with `resume`, on every new link until it has the outcome.
// - The gateway answers an outcome with the notification `call/received`. Until then the broker keeps it, and
//   sends it again should the same session come back and resume the call: no call is ever done twice because
//   an answer was lost.
// - `call/cancel` ends a call that is the gateway's; for an unknown id it does nothing. No response follows.
// - `bye` says that the session ends for good. A unix socket that closes without it means the same; over TCP
//   the broker keeps the session for `tcpSessionGraceMs`, since networks lose connections.
// - The catalogue is sent whole and only when it changed, the same bytes to every gateway. What an agent is
//   denied comes apart from it (`denied`), and the broker refuses a denied call whatever the gateway lists.
// - `harness/seen` says whether the session's harness listed tools again after a change, as the gateway saw it.
//   The broker remembers it by the harness's name and version and says it to the next such session (`relists`).
// - `list_changed/sent` says how often the gateway has told its harness of a change; it is counted (`GET /metrics`).
// - `agents/list` and `message/send` are for a tool of Leo's each (`toolOfLinkMethod`); an agent that is denied the tool
//   is refused the method, with the code `denied`.
// - `message/send` is from the session's agent, whatever else it says, and is answered once the message was typed:
//   that may take as long as `messageWithinMs`.
// - Keys, and notifications of a method, that an end does not know are ignored: that is how minor versions differ.

import type { Harness, ToolMode, WireAgent } from './bodies/agents.js';
import type { WireMessageData } from './bodies/message.js';
import type { Outcome } from './content.js';
import { sessionIdPattern } from './ids.js';
import type { JsonObject, JsonSchema } from './json.js';
import { agentNamePattern, type ownTools, toolNamePattern } from './names.js';
import type { WireCatalogueTool } from './tool.js';

/** Where the WebSocket is opened. */
export const linkPath = '/api/v1/gateway';
/** The largest message either end takes, in bytes. */
export const maxLinkMessageBytes = 48 * 1024 * 1024;
/** How long a message may take to be delivered or refused, in milliseconds. */
export const messageWithinMs = 58_000;
/** How long the broker keeps a session whose TCP link broke, in milliseconds. */
export const tcpSessionGraceMs = 10_000;

/** Close codes of the WebSocket (the private range of RFC 6455, 4000 to 4999). */
export const linkClose = {
  /** The first message was no `hello` that this broker can serve; the error said why. */
  protocol: 4000,
  /** The same session has come back on a newer link. */
  replaced: 4001,
  /** The daemon stops; come back. */
  restarting: 4002,
} as const;

/** The JSON-RPC error codes of the link. */
export const linkError = {
  /** The protocol's version is not spoken here. */
  protocol: -32001,
  /** A call ended in a failure; `data.code` is the code, `message` the text without it. */
  callFailed: -32000,
  /** A request that is no call was refused; `data.code` is a code of the table of errors, or `denied`. */
  refused: -32003,
  invalidParams: -32602,
  methodNotFound: -32601,
} as const;

export interface WireHello {
  /** The oldest version of the protocol that the gateway speaks. */
  readonly protocol: number;
  /** The newest, where that is another one. */
  readonly protocol_max?: number;
  readonly version: string;
  readonly session: string;
  readonly agent: string;
  readonly harness: Harness | null;
  readonly mode: ToolMode;
}
const harness: JsonSchema = {
  type: ['object', 'null'],
  properties: { name: { type: 'string', maxLength: 256 }, version: { type: 'string', maxLength: 256 } },
  required: ['name', 'version'],
};
const mode: JsonSchema = { enum: ['native', 'fallback'] };
/** The params of `hello`. */
export const helloParams: JsonSchema = {
  type: 'object',
  properties: {
    protocol: { type: 'integer' },
    protocol_max: { type: 'integer' },
    version: { type: 'string' },
    session: { type: 'string', pattern: sessionIdPattern },
    agent: { type: 'string', pattern: agentNamePattern },
    harness,
    mode,
  },
  required: ['protocol', 'version', 'session', 'agent', 'harness', 'mode'],
};
/** The params of `session/changed`. */
export const sessionChangedParams: JsonSchema = {
  type: 'object',
  properties: { harness, mode },
  required: ['harness', 'mode'],
};

/** The params of `list_changed/sent`. */
export const listChangedSentParams: JsonSchema = {
  type: 'object',
  properties: { times: { type: 'integer', minimum: 1, maximum: 1_000_000 } },
  required: ['times'],
};

/** The params of `harness/seen`. */
export const harnessSeenParams: JsonSchema = {
  type: 'object',
  properties: { relists: { type: 'boolean' } },
  required: ['relists'],
};

/** The tools of all apps: `everRegistered` says whether any app ever had one on this daemon (design 8). */
export interface WireCatalogue {
  readonly revision: number;
  readonly ever_registered: boolean;
  /** Sorted by name. */
  readonly tools: readonly WireCatalogueTool[];
}
export interface WireHelloResult {
  /** The version that is spoken from here on. */
  readonly protocol: number;
  readonly version: string;
  readonly epoch: string;
  readonly catalogue: WireCatalogue;
  /** Names and globs of tools that this agent is neither shown nor may call. */
  readonly denied: readonly string[];
  /** What an earlier session of this harness and version was seen to do last; null where none was seen. */
  readonly relists: boolean | null;
}

/** What a call carries when it is sent again after the link, or the daemon, was lost. */
export interface WireResume {
  /** The app that the tool was called at, by its `client_id`. */
  readonly provider: string;
  /** Whether that app comes back under a `client_key`, and so keeps its `client_id`. */
  readonly keyed: boolean;
  readonly group: string;
  /** The claimant, if the gateway was told of one. */
  readonly claimed_by: string | null;
  /** What is left of the time limit, in milliseconds; null for a handoff. */
  readonly remaining_ms: number | null;
  /** How long ago the agent made the call, in milliseconds; a gateway of Leo 0.1.0 does not say. */
  readonly age_ms?: number;
}
export interface WireCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly resume?: WireResume;
}
/** The params of `call`. */
export const callParams: JsonSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', pattern: toolNamePattern },
    arguments: { type: 'object' },
    resume: {
      type: 'object',
      properties: {
        provider: { type: 'string', maxLength: 80 },
        keyed: { type: 'boolean' },
        group: { type: 'string', maxLength: 64 },
        claimed_by: { type: ['string', 'null'], maxLength: 80 },
        remaining_ms: { type: ['number', 'null'] },
        age_ms: { type: 'number', minimum: 0 },
      },
      required: ['provider', 'keyed', 'group', 'claimed_by', 'remaining_ms'],
    },
  },
  required: ['tool', 'arguments'],
};

/** A message of the session's agent to another: whose it is, the broker knows by the session. */
export interface WireSend {
  readonly to: string;
  readonly text: string;
}
/** The params of `message/send`. */
export const sendParams: JsonSchema = {
  type: 'object',
  properties: { to: { type: 'string', minLength: 1, maxLength: 256 }, text: { type: 'string' } },
  required: ['to', 'text'],
};

/** Every method of the link, by who sends it; each has its fixture. */
export const linkMethods = {
  gateway: [
    'hello',
    'call',
    'agents/list',
    'message/send',
    'call/cancel',
    'call/received',
    'session/changed',
    'harness/seen',
    'list_changed/sent',
    'bye',
  ],
  broker: ['catalogue/changed', 'denied/changed', 'call/claimed', 'call/unclaimed', 'call/progress'],
} as const;

/** The methods that carry out a tool of Leo's own, and that tool. */
export const toolOfLinkMethod: ReadonlyMap<string, (typeof ownTools)[number]> = new Map([
  ['agents/list', 'leo_list_agents'],
  ['message/send', 'leo_send_message'],
]);

/** Requests of the gateway, by method: params and result. */
export interface LinkRequests {
  hello: { params: WireHello; result: WireHelloResult };
  call: { params: WireCall; result: { content: readonly JsonObject[] } };
  'agents/list': { params: Record<string, never>; result: { agents: readonly WireAgent[] } };
  'message/send': { params: WireSend; result: WireMessageData };
}
/** Notifications of the gateway. */
export interface GatewayNotifications {
  'call/cancel': { id: string; reason?: string };
  'call/received': { id: string };
  /** The harness has said who it is, or shown that it re-lists, after `hello`. */
  'session/changed': Pick<WireHello, 'harness' | 'mode'>;
  /** The harness did, or did not, list tools again after it was told of a change. */
  'harness/seen': { relists: boolean };
  /** How often the harness was told of a change since the gateway last said so. */
  'list_changed/sent': { times: number };
  bye: Record<string, never>;
}
/** Notifications of the broker. */
export interface BrokerNotifications {
  'catalogue/changed': WireCatalogue;
  'denied/changed': { denied: readonly string[] };
  'call/claimed': { id: string; client_id: string };
  /** The claimant went away and the call waits for another. */
  'call/unclaimed': { id: string };
  'call/progress': { id: string; progress: number; total?: number; message?: string };
}

/** The response to `call`, as the broker sends it. */
export function encodeOutcome(id: string, outcome: Outcome): JsonObject {
  return outcome.ok
    ? { jsonrpc: '2.0', id, result: { content: outcome.content } }
    : {
        jsonrpc: '2.0',
        id,
        error: { code: linkError.callFailed, message: outcome.message, data: { code: outcome.code } },
      };
}
