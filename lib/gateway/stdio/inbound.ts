// What a line from the harness is (JSON-RPC 2.0, one message a line). Pure.
//
// A request that cannot be served but has an id is answered, since its sender waits. A line that has no id to
// answer is only logged: an error with the id null makes clients of the MCP SDK report a broken server.

import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject } from '../../wire/json.js';
import type { Line } from './lines.js';

export type Inbound =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** A request that is answered with an error here and now. */
  | { readonly kind: 'rejected'; readonly id: RequestId; readonly code: number; readonly message: string }
  /** Nothing that can be answered. */
  | { readonly kind: 'noise'; readonly why: string };

const invalidRequest = -32600;

/** The messages of a line: one, or those of a batch, which protocol 2025-03-26 allows. */
export function readLine(line: Line): Inbound[] {
  if (line.kind === 'oversize') return [readOversize(line)];
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    // Why not, the engine says with a piece of the line, and that may be anything.
    return [{ kind: 'noise', why: `a line of ${line.text.length} characters that is not JSON` }];
  }
  return Array.isArray(value) ? value.map(readMessage) : [readMessage(value)];
}

function readMessage(value: unknown): Inbound {
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return { kind: 'message', message: isJSONRPCRequest(value) ? named(value) : value };
  }
  if (!isObject(value)) return { kind: 'noise', why: 'a line that is no JSON-RPC message' };
  const { id } = value;
  const asks =
    'method' in value && (typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)));
  if (!asks) return { kind: 'noise', why: 'a message that is not JSON-RPC 2.0' };
  return {
    kind: 'rejected',
    id,
    code: invalidRequest,
    message:
      'invalid request: wants {"jsonrpc": "2.0", id, method, params}, with an object for params and, if there is one, for params._meta',
  };
}

/** An `initialize` whose clientInfo is no name and version gets an empty one: the SDK would refuse the session. */
function named(request: JSONRPCRequest): JSONRPCRequest {
  if (request.method !== 'initialize' || !isObject(request.params)) return request;
  const given = request.params.clientInfo;
  const info = isObject(given) ? given : {};
  if (typeof info.name === 'string' && typeof info.version === 'string') return request;
  const name = typeof info.name === 'string' ? info.name : '';
  const version = typeof info.version === 'string' ? info.version : '';
  return { ...request, params: { ...request.params, clientInfo: { name, version } } };
}

function readOversize(line: Extract<Line, { kind: 'oversize' }>): Inbound {
  const why = `a message of ${line.bytes} bytes, more than a gateway reads`;
  const id = salvageId(line.head, line.tail);
  if (id === undefined) return { kind: 'noise', why };
  return { kind: 'rejected', id, code: invalidRequest, message: `message too large: ${why}` };
}

const idText = '("(?:[^"\\\\]|\\\\.)*"|-?\\d+)';
const scalarText = '(?:"(?:[^"\\\\]|\\\\.)*"|-?[\\d.eE+-]+|true|false|null)';
const idAtHead = new RegExp(
  `^\\s*\\{\\s*(?:"(?!id")[^"\\\\]*"\\s*:\\s*${scalarText}\\s*,\\s*)*"id"\\s*:\\s*${idText}\\s*,`,
);
const idAtTail = new RegExp(
  `,\\s*"id"\\s*:\\s*${idText}\\s*(?:,\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*)*\\}\\s*$`,
);

/**
 * The id of a request of which only the two ends are known: it stands before the first nested value or after
 * the last one, and nowhere deeper, or it is not found.
 */
export function salvageId(head: string, tail: string): RequestId | undefined {
  if (!/"method"\s*:/.test(head) && !/"method"\s*:\s*"[^"\\]*"\s*\}?\s*$/.test(tail)) return undefined;
  const found = idAtHead.exec(head)?.[1] ?? idAtTail.exec(tail)?.[1];
  if (found === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(found);
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined; // It looked like an id and is none, such as 007 or "\\q".
  }
}
