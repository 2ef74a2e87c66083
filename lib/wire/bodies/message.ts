// The bodies of a message to an agent (design 9).
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import type { JsonSchema } from '../json.js';

/** The most text that a message holds, in bytes of UTF-8. */
export const maxMessageBytes = 256 * 1024;

export const messageBody: JsonSchema = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      minLength: 1,
      description: 'what is put into the prompt of the agent; at most 262,144 bytes',
    },
    from: {
      type: 'string',
      maxLength: 256,
      description:
        'the sender, as the agent is shown it; a scoped client says its own name, or `<name>#<suffix>`',
    },
  },
  required: ['text'],
  additionalProperties: false,
};

export interface WireMessageBody {
  readonly text: string;
  readonly from?: string;
}

/** What is answered to a message that was typed into the prompt of its agent. */
export interface WireMessageData {
  readonly id: string;
  /** The agent's whole name, where a part of it was enough. */
  readonly agent: string;
  readonly submitted: true | 'unconfirmed';
}

export const messageData: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'as in the event agent.message' },
    agent: { type: 'string', description: 'the whole name of the agent' },
    submitted: {
      enum: [true, 'unconfirmed'],
      description:
        '`true`: its prompt was seen to take it; `unconfirmed`: it was typed, and not seen to be taken',
    },
  },
  required: ['id', 'agent', 'submitted'],
  additionalProperties: false,
};
