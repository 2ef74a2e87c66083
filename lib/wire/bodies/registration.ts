// The bodies of what an app does with its tools (design 6): registered, looked at, withdrawn.
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import type { JsonSchema } from '../json.js';
import { groupNamePattern } from '../names.js';
import { toolSchema } from '../tool.js';
import { client_id, revision } from './fields.js';

/** `POST /api/v1/client-tools`. The tools are checked one by one by the broker, which names the bad place. */
export const registerBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    group: { type: 'string', pattern: groupNamePattern },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        description:
          '`name`, `input_schema`, and optionally `description` and `timeout_s`; see docs/app-authors.md',
      },
    },
  },
  required: ['client_id', 'group', 'tools'],
  additionalProperties: false,
};

export interface WireRegisterBody {
  readonly client_id: string;
  readonly group: string;
  readonly tools: readonly unknown[];
}

export const registerData: JsonSchema = {
  type: 'object',
  properties: { revision, tools: { type: 'array', items: { type: 'string' } } },
  required: ['revision', 'tools'],
  additionalProperties: false,
};

export const withdrawQuery: JsonSchema = {
  type: 'object',
  properties: { client_id: { type: 'string' } },
  required: ['client_id'],
  additionalProperties: false,
};

export const withdrawData: JsonSchema = {
  type: 'object',
  properties: { revision },
  required: ['revision'],
  additionalProperties: false,
};

export const registeredData: JsonSchema = {
  type: 'object',
  properties: {
    revision,
    groups: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          group: { type: 'string' },
          client_id,
          connected: { type: 'boolean', description: 'false while the app is away and may still come back' },
          tools: { type: 'array', items: toolSchema },
        },
        required: ['group', 'client_id', 'connected', 'tools'],
        additionalProperties: false,
      },
    },
  },
  required: ['revision', 'groups'],
  additionalProperties: false,
};
