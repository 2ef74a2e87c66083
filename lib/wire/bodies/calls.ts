// The bodies of parked calls (design 7): looked at, claimed, reported on, settled.
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import { type ContentBlock, maxFailureMessageLength, type Outcome } from '../content.js';
import { failureCodePattern } from '../errors.js';
import type { ClientId, RequestId } from '../ids.js';
import type { JsonObject, JsonSchema } from '../json.js';

/** One open call, as apps see it. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutS: number;
  /** When its agent made it, in epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; undefined for a handoff. */
  readonly deadline: number | undefined;
  readonly claimedBy: ClientId | undefined;
}

export interface WireOpenRequest {
  readonly id: string;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeout_s: number;
  readonly created_at: string;
  readonly deadline: string | null;
  readonly state: 'parked' | 'claimed';
  readonly claimed_by: string | null;
}

export const openRequestSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    agent: { type: 'string' },
    group: { type: 'string' },
    tool: { type: 'string' },
    arguments: { type: 'object' },
    timeout_s: { type: 'integer' },
    created_at: { type: 'string', format: 'date-time', description: 'when its agent made it' },
    deadline: { type: ['string', 'null'], format: 'date-time', description: 'null for a handoff' },
    state: { enum: ['parked', 'claimed'] },
    claimed_by: { type: ['string', 'null'], description: 'the client_id of the claimant' },
  },
  required: [
    'id',
    'agent',
    'group',
    'tool',
    'arguments',
    'timeout_s',
    'created_at',
    'deadline',
    'state',
    'claimed_by',
  ],
  additionalProperties: false,
};

export function encodeOpenRequest(request: OpenRequest): WireOpenRequest {
  return {
    id: request.id,
    agent: request.agent,
    group: request.group,
    tool: request.tool,
    arguments: request.arguments,
    timeout_s: request.timeoutS,
    created_at: new Date(request.createdAt).toISOString(),
    deadline: request.deadline === undefined ? null : new Date(request.deadline).toISOString(),
    state: request.claimedBy === undefined ? 'parked' : 'claimed',
    claimed_by: request.claimedBy ?? null,
  };
}

export const pendingQuery: JsonSchema = {
  type: 'object',
  properties: { pending: { const: '1', description: 'calls that have not ended; no others are kept' } },
  required: ['pending'],
  additionalProperties: false,
};

export const pendingData: JsonSchema = {
  type: 'object',
  properties: { requests: { type: 'array', items: openRequestSchema } },
  required: ['requests'],
  additionalProperties: false,
};

export const claimBody: JsonSchema = {
  type: 'object',
  properties: { client_id: { type: 'string' } },
  required: ['client_id'],
  additionalProperties: false,
};

export interface WireClaimBody {
  readonly client_id: string;
}

export const claimData: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, deadline: { type: ['string', 'null'], format: 'date-time' } },
  required: ['id', 'deadline'],
  additionalProperties: false,
};

/** How far a claimed call has come (MCP `notifications/progress`). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export const progressBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    progress: { type: 'number' },
    total: { type: 'number' },
    message: { type: 'string', maxLength: 1024 },
  },
  required: ['client_id', 'progress'],
  additionalProperties: false,
};

export interface WireProgressBody extends Progress {
  readonly client_id: string;
}

export const resultBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    ok: { type: 'boolean' },
    content: {
      type: 'array',
      items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      description: 'MCP content blocks; with `ok: true`',
    },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', pattern: failureCodePattern },
        message: { type: 'string', maxLength: maxFailureMessageLength },
      },
      required: ['code', 'message'],
      additionalProperties: false,
      description: 'with `ok: false`',
    },
  },
  required: ['client_id', 'ok'],
  additionalProperties: false,
  if: { properties: { ok: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
  then: { required: ['content'], not: { required: ['error'] } },
  else: { required: ['error'], not: { required: ['content'] } },
};

export type WireResultBody =
  | { readonly client_id: string; readonly ok: true; readonly content: readonly ContentBlock[] }
  | {
      readonly client_id: string;
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string };
    };

export function decodeOutcome(body: WireResultBody): Outcome {
  return body.ok
    ? { ok: true, content: body.content }
    : { ok: false, code: body.error.code, message: body.error.message };
}
