// The bodies of what a daemon says of itself.
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import type { JsonSchema } from '../json.js';
import { empty } from './fields.js';

export const reloadData: JsonSchema = {
  type: 'object',
  properties: {
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'for people; what is odd and was let pass',
    },
  },
  required: ['warnings'],
  additionalProperties: false,
};

export const healthData: JsonSchema = {
  type: 'object',
  properties: {
    status: { const: 'ok' },
    version: { type: 'string' },
    uptime_s: { type: 'integer', minimum: 0 },
  },
  required: ['status', 'version', 'uptime_s'],
  additionalProperties: false,
};

/** Success with nothing to say: `{ok: true}`. */
export const emptyData: JsonSchema = empty;
