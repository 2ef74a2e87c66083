// A tool as an app registers it (design 6). Its `input_schema` is checked by the broker, key by key; here it
// is only known to be an object.

import { type ClientId, clientId } from './ids.js';
import type { JsonObject, JsonSchema } from './json.js';

/** How long a call waits for its result, in seconds, when the registration does not say. */
export const defaultTimeoutS = 120;
/** The longest a call may wait, in seconds: a day. 0 is a handoff, which waits without limit. */
export const maxTimeoutS = 86_400;
/** The longest description, in characters. */
export const maxDescriptionLength = 4096;
/** The most tools in one group, and the most in one daemon. */
export const maxTools = 64;

/** One tool of an app. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** Seconds until a call times out; 0 never does (a handoff). */
  readonly timeoutS: number;
}

/** A tool on the wire. */
export interface WireTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: JsonObject;
  readonly timeout_s: number;
}

/** A tool as gateways are told of it: with the app that answers for it, so that a call survives a restart. */
export interface CatalogueTool extends Tool {
  readonly group: string;
  readonly provider: ClientId;
  /** Whether the app comes back under its own `client_key`. */
  readonly keyed: boolean;
}

export interface WireCatalogueTool extends WireTool {
  readonly group: string;
  readonly provider: string;
  readonly keyed: boolean;
}

export function encodeTool(tool: Tool): WireTool {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: tool.inputSchema,
    timeout_s: tool.timeoutS,
  };
}

export function encodeCatalogueTool(tool: CatalogueTool): WireCatalogueTool {
  return { ...encodeTool(tool), group: tool.group, provider: tool.provider, keyed: tool.keyed };
}

export function decodeCatalogueTool(tool: WireCatalogueTool): CatalogueTool {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: tool.input_schema,
    timeoutS: tool.timeout_s,
    group: tool.group,
    provider: clientId(tool.provider),
    keyed: tool.keyed,
  };
}

/** A registered tool in an answer. */
export const toolSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    input_schema: { type: 'object' },
    timeout_s: { type: 'integer', minimum: 0, maximum: maxTimeoutS },
  },
  required: ['name', 'input_schema', 'timeout_s'],
  additionalProperties: false,
};
