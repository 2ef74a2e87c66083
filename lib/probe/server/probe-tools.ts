// The tools that the probe's server offers. Each carries a mark in its description, by which it is found again among
// the tools of a model request whatever name and schema the harness made for it.

import type { JsonObject, JsonValue } from '../../wire/json.js';
import type { ModelRequest, OfferedTool } from '../model/conversation.js';

export interface ProbeTool {
  readonly name: string;
  /** The whole tool as `tools/list` says it. */
  readonly listed: JsonObject;
}

const plainSchema: JsonObject = { type: 'object', properties: { text: { type: 'string' } } };

function marked(name: string, inputSchema: JsonValue = plainSchema, more = ''): ProbeTool {
  return { name, listed: { name, description: `${mark(name)}${more}`, inputSchema } };
}

function mark(name: string): string {
  return `[leo probe: ${name}]`;
}

/** The tool that each measurement calls, and one that appears while the harness runs. */
export const myTool = marked('my_tool');
export const secondTool = marked('second_tool');
export const thirdTool = marked('third_tool');
export const slowTool = marked('slow_tool');
export const imageTool = marked('image_tool');
export const errorTool = marked('error_tool');
export const rpcErrorTool = marked('rpc_error_tool');

const filled = (length: number) => `n${length}_`.padEnd(length, 'abcdefghij');

/** Tools whose names a harness may have to change. */
export const namedTools: Readonly<Record<string, ProbeTool>> = {
  my_tool: myTool,
  '64 characters': marked(filled(64)),
  '100 characters': marked(filled(100)),
  '128 characters': marked(filled(128)),
  dot: marked('with.dot'),
  slash: marked('with/slash'),
  dash: marked('with-dash'),
};

const named = { type: 'string' };

/** Tools whose schemas or descriptions a harness may have to change; none of them makes it drop the server. */
export const shapedTools: Readonly<Record<string, ProbeTool>> = {
  'root anyOf': marked('root_any_of', {
    type: 'object',
    properties: { a: named, b: named },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  'root oneOf': marked('root_one_of', {
    type: 'object',
    properties: { a: named, b: named },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  'root allOf': marked('root_all_of', {
    type: 'object',
    properties: { a: named, b: named },
    allOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  'type ["string","null"]': marked('nullable', property({ type: ['string', 'null'] })),
  'nested oneOf': marked('nested_one_of', property({ oneOf: [{ type: 'string' }, { type: 'number' }] })),
  'additionalProperties false': marked('closed', {
    type: 'object',
    properties: { a: named },
    additionalProperties: false,
  }),
  'enum with null': marked('null_enum', property({ enum: ['a', null] })),
  'format uri': marked('uri', property({ type: 'string', format: 'uri' })),
  pattern: marked('pattern', property({ type: 'string', pattern: '^a' })),
  minItems: marked('min_items', property({ type: 'array', items: named, minItems: 1 })),
  'property named $ref': marked('ref_named', { type: 'object', properties: { $ref: named } }),
  'depth 16': marked('deep', nested(16)),
  '512 schemas': marked('wide', {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`p${index}`, named])),
  }),
  'no properties': marked('bare', { type: 'object' }),
  'empty description': {
    name: 'empty_text',
    listed: { name: 'empty_text', description: '', inputSchema: plainSchema },
  },
  'absent description': { name: 'absent_text', listed: { name: 'absent_text', inputSchema: plainSchema } },
  'description of 5,000': marked('long_text', plainSchema, ' x'.repeat(2490)),
  '$ref to $defs': marked('ref', {
    type: 'object',
    properties: { x: { $ref: '#/$defs/text' } },
    $defs: { text: named },
  }),
  '$schema, const, default, minimum, exclusiveMaximum': marked('keywords', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      kind: { const: 'a' },
      size: { type: 'number', default: 1, minimum: 0, exclusiveMaximum: 9 },
    },
  }),
  'array without items': marked('itemless', property({ type: 'array' })),
};

/** Tools that may cost the server all of its tools, each to be offered beside `my_tool` alone. */
export const badTools: Readonly<Record<string, readonly ProbeTool[]>> = {
  'inputSchema absent': [{ name: 'bad', listed: { name: 'bad', description: mark('bad') } }],
  'inputSchema {}': [marked('bad', {})],
  'root $ref without type': [marked('bad', { $ref: '#/$defs/x', $defs: { x: plainSchema } })],
  'required: null': [marked('bad', { type: 'object', properties: {}, required: null })],
  'property schema true': [marked('bad', { type: 'object', properties: { x: true } })],
  'root type ["object","null"]': [marked('bad', { type: ['object', 'null'], properties: {} })],
  'dangling $ref, invalid pattern': [
    marked('bad', {
      type: 'object',
      properties: { x: { $ref: '#/$defs/none' }, y: { type: 'string', pattern: '(' } },
    }),
  ],
  'the same name twice': [marked('bad', plainSchema, ' first'), marked('bad', plainSchema, ' last')],
};

function property(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { x: schema } };
}

/** Objects within objects, `levels` schemas deep. */
function nested(levels: number): JsonObject {
  let schema: JsonObject = named;
  for (let level = 1; level < levels; level += 1) schema = property(schema);
  return schema;
}

/** The tool as the harness offers it, or nothing. */
export function offeredOf(request: ModelRequest, tool: ProbeTool): OfferedTool | undefined {
  return request.tools.find(
    (offered) =>
      offered.description?.includes(mark(tool.name)) === true ||
      (tool.listed.description !== mark(tool.name) && offered.name.endsWith(tool.name)),
  );
}
