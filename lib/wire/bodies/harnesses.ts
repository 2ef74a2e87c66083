// The bodies of what harnesses were seen to do.
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import type { JsonSchema } from '../json.js';
import type { Harness } from './agents.js';

/** What was seen of one version of a harness in use. */
export interface WireSeenHarness extends Harness {
  /** What it was seen to do last: whether it lists tools again after it was told of a change. */
  readonly relists: boolean;
  readonly relisted_at: string | null;
  readonly missed_at: string | null;
}

const seenAt = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});

export const harnessesData: JsonSchema = {
  type: 'object',
  properties: {
    harnesses: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'as in `clientInfo`' },
          version: { type: 'string' },
          relists: { type: 'boolean', description: 'what was seen last' },
          relisted_at: seenAt('when a session of it last listed tools again; within an hour'),
          missed_at: seenAt('when a session of it last went on without; within an hour'),
        },
        required: ['name', 'version', 'relists', 'relisted_at', 'missed_at'],
        additionalProperties: false,
      },
    },
  },
  required: ['harnesses'],
  additionalProperties: false,
};
