// The events of the stream (design 5). An event is written twice: in full for provider streams, and redacted
// for every other reader. The redacted form is made from a list of what may be shown, so that a field added
// later is hidden until somebody names it here.

import type { Harness, ToolMode } from './bodies/agents.js';
import { encodeOpenRequest, type OpenRequest, openRequestSchema } from './bodies/calls.js';
import type { ClientId, RequestId } from './ids.js';
import type { JsonObject, JsonSchema } from './json.js';

/** What a stream may be asked for; sent in `hello`. */
export const streamFeatures = ['client_tools', 'client_key', 'progress'] as const;
/** Seconds between two comments on a stream that has nothing to say. */
export const heartbeatS = 15;

/** Why a call ended without a result: the code that the agent reads (design 7). */
export type CancelReason = string;

export type BrokerEvent =
  | { readonly type: 'client_tool.request'; readonly request: OpenRequest }
  | { readonly type: 'client_tool.claimed'; readonly id: RequestId; readonly clientId: ClientId }
  | {
      readonly type: 'client_tool.cancelled';
      readonly id: RequestId;
      readonly agent: string;
      readonly tool: string;
      readonly reason: CancelReason;
    }
  | { readonly type: 'client_tool.settled'; readonly id: RequestId; readonly outcome: string }
  | { readonly type: 'client_tools.changed'; readonly revision: number; readonly tools: readonly string[] }
  | {
      readonly type: 'agent.started';
      readonly name: string;
      /** Null until its harness has said what it is. */
      readonly harness: Harness | null;
      /** Null until its gateway is there. */
      readonly mode: ToolMode | null;
    }
  | { readonly type: 'agent.stopped'; readonly name: string; readonly harness: Harness | null }
  | {
      readonly type: 'agent.message';
      /** The message's own. Its text is in no event. */
      readonly id: string;
      /** The agent that it went to. */
      readonly name: string;
      readonly from: string;
      readonly submitted: true | 'unconfirmed';
    };

export type EventType = BrokerEvent['type'] | 'hello';

/** The data of an event in full, as provider streams get it; `seq` is added by the event log. */
export function eventData(event: BrokerEvent): JsonObject {
  switch (event.type) {
    case 'client_tool.request': {
      const {
        id,
        agent,
        group,
        tool,
        arguments: args,
        timeout_s,
        created_at,
        deadline,
      } = encodeOpenRequest(event.request);
      return { id, agent, group, tool, arguments: args, timeout_s, created_at, deadline };
    }
    case 'client_tool.claimed':
      return { id: event.id, client_id: event.clientId };
    case 'client_tool.cancelled':
      return { id: event.id, agent: event.agent, tool: event.tool, reason: event.reason };
    case 'client_tool.settled':
      return { id: event.id, outcome: event.outcome };
    case 'client_tools.changed':
      return { revision: event.revision, tools: event.tools };
    case 'agent.started':
      return {
        name: event.name,
        harness: event.harness === null ? null : { ...event.harness },
        mode: event.mode,
      };
    case 'agent.stopped':
      return { name: event.name, harness: event.harness === null ? null : { ...event.harness } };
    case 'agent.message':
      return { id: event.id, name: event.name, from: event.from, submitted: event.submitted };
  }
}

/** The keys of an event's data that every reader may see (design 5, the table of events). */
export const publicKeys: { readonly [Type in BrokerEvent['type']]: readonly string[] } = {
  'client_tool.request': ['id'],
  'client_tool.claimed': ['id', 'client_id'],
  'client_tool.cancelled': ['id'],
  'client_tool.settled': ['id', 'outcome'],
  'client_tools.changed': ['revision', 'tools'],
  'agent.started': ['name', 'harness', 'mode'],
  'agent.stopped': ['name', 'harness'],
  'agent.message': ['id', 'name', 'from', 'submitted'],
};

const seq: JsonSchema = { type: 'integer', minimum: 0, description: 'contiguous for every reader' };
const harness: JsonSchema = {
  type: ['object', 'null'],
  properties: { name: { type: 'string' }, version: { type: 'string' } },
  required: ['name', 'version'],
  additionalProperties: false,
};

function dataSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties: { seq, ...properties },
    required: ['seq', ...required],
    additionalProperties: false,
  };
}

/** The schema of each event's data. What is not required is what a redacted stream does not hold. */
export const eventSchemas: { readonly [Type in EventType]: JsonSchema } = {
  hello: dataSchema(
    {
      client_id: { type: 'string', description: 'provider streams only' },
      features: { type: 'array', items: { type: 'string' } },
      epoch: { type: 'string', description: 'a new one each time the daemon starts' },
      version: { type: 'string' },
      heartbeat_s: { type: 'integer' },
      requests: {
        type: 'array',
        items: openRequestSchema,
        description: 'provider streams only: its own open calls',
      },
    },
    ['features', 'epoch', 'version', 'heartbeat_s'],
  ),
  'client_tool.request': dataSchema(
    {
      id: { type: 'string' },
      agent: { type: 'string' },
      group: { type: 'string' },
      tool: { type: 'string' },
      arguments: { type: 'object' },
      timeout_s: { type: 'integer' },
      created_at: { type: 'string', format: 'date-time' },
      deadline: { type: ['string', 'null'], format: 'date-time' },
    },
    ['id'],
  ),
  'client_tool.claimed': dataSchema({ id: { type: 'string' }, client_id: { type: 'string' } }, [
    'id',
    'client_id',
  ]),
  'client_tool.cancelled': dataSchema(
    {
      id: { type: 'string' },
      agent: { type: 'string' },
      tool: { type: 'string' },
      reason: { type: 'string' },
    },
    ['id'],
  ),
  'client_tool.settled': dataSchema(
    { id: { type: 'string' }, outcome: { type: 'string', description: '`ok` or a code' } },
    ['id', 'outcome'],
  ),
  'client_tools.changed': dataSchema(
    { revision: { type: 'integer' }, tools: { type: 'array', items: { type: 'string' } } },
    ['revision', 'tools'],
  ),
  'agent.started': dataSchema(
    {
      name: { type: 'string' },
      harness,
      mode: { enum: ['native', 'fallback', null], description: 'null until its gateway is there' },
    },
    ['name', 'harness', 'mode'],
  ),
  'agent.stopped': dataSchema({ name: { type: 'string' }, harness }, ['name', 'harness']),
  'agent.message': dataSchema(
    {
      id: { type: 'string' },
      name: { type: 'string', description: 'the agent that was given the message' },
      from: { type: 'string', description: 'its sender' },
      submitted: { enum: [true, 'unconfirmed'] },
    },
    ['id', 'name', 'from', 'submitted'],
  ),
};
