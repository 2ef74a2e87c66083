// The events of a provider stream that an app acts on, checked at the border. What is not of its form is not
// an event: a newer daemon may say more than this library knows.

import {
  type ClientId,
  clientId,
  clientIdPattern,
  type RequestId,
  requestId,
  requestIdPattern,
} from '../../wire/ids.js';
import { isJsonObject, isObject, type JsonObject } from '../../wire/json.js';

/** A call, as this library holds it. */
export interface CallRequest {
  readonly id: RequestId;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** ISO 8601; null for a handoff. */
  readonly deadline: string | null;
  /** The client_id of the app that has claimed it, if one has. */
  readonly claimedBy: string | undefined;
}

export interface Hello {
  readonly clientId: ClientId;
  readonly epoch: string;
  readonly version: string;
  readonly heartbeatMs: number;
  /** The app's own open calls. */
  readonly requests: readonly CallRequest[];
}

export type StreamEvent =
  | { readonly type: 'hello'; readonly hello: Hello }
  | { readonly type: 'request'; readonly request: CallRequest }
  | { readonly type: 'cancelled'; readonly id: RequestId; readonly reason: string };

const requestIdForm = new RegExp(requestIdPattern);
const clientIdForm = new RegExp(clientIdPattern);

/** The event, or undefined for one that an app has nothing to do about, or that cannot be read. */
export function decodeStreamEvent(type: string, json: string): StreamEvent | undefined {
  if (type !== 'client_tool.request' && type !== 'client_tool.cancelled' && type !== 'hello')
    return undefined;
  const data = parsed(json);
  if (data === undefined) return undefined;
  switch (type) {
    case 'hello': {
      const hello = decodeHello(data);
      return hello && { type: 'hello', hello };
    }
    case 'client_tool.request': {
      const request = decodeCallRequest(data);
      return request && { type: 'request', request };
    }
    case 'client_tool.cancelled':
      if (typeof data.id !== 'string') return undefined;
      return {
        type: 'cancelled',
        id: requestId(data.id),
        reason: typeof data.reason === 'string' ? data.reason : 'cancelled',
      };
  }
}

/** The place of an event in the stream, from its id `<epoch>-<seq>`. */
export function seqOf(eventId: string): number | undefined {
  const digits = /-(\d+)$/.exec(eventId)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The calls of an answer to `GET …/requests?pending=1`. */
export function decodePending(data: unknown): readonly CallRequest[] {
  return isObject(data) ? decodeRequests(data.requests) : [];
}

function decodeHello(data: Readonly<Record<string, unknown>>): Hello | undefined {
  const { client_id, epoch, version, heartbeat_s } = data;
  if (typeof client_id !== 'string' || !clientIdForm.test(client_id) || typeof epoch !== 'string')
    return undefined;
  return {
    clientId: clientId(client_id),
    epoch,
    version: typeof version === 'string' ? version : 'unknown',
    heartbeatMs: typeof heartbeat_s === 'number' && heartbeat_s > 0 ? heartbeat_s * 1000 : 15_000,
    requests: decodeRequests(data.requests),
  };
}

function decodeRequests(list: unknown): readonly CallRequest[] {
  return Array.isArray(list) ? list.flatMap((entry) => decodeCallRequest(entry) ?? []) : [];
}

function decodeCallRequest(data: unknown): CallRequest | undefined {
  if (!isObject(data)) return undefined;
  const { id, agent, group, tool, arguments: args, deadline, claimed_by } = data;
  if (typeof id !== 'string' || !requestIdForm.test(id)) return undefined;
  if (typeof agent !== 'string' || typeof group !== 'string' || typeof tool !== 'string') return undefined;
  if (!isJsonObject(args)) return undefined;
  return {
    id: requestId(id),
    agent,
    group,
    tool,
    arguments: args,
    deadline: typeof deadline === 'string' ? deadline : null,
    claimedBy: typeof claimed_by === 'string' ? claimed_by : undefined,
  };
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
