import t from 'tap';
import { changesOf, schemaCell } from '../../../../lib/probe/measure/tools/schema-change.js';
import type { OfferedTool } from '../../../../lib/probe/model/conversation.js';
import type { JsonObject } from '../../../../lib/wire/json.js';

const schema = { type: 'object', properties: { a: { type: 'string', format: 'uri' } } };
const tool = (description: string | undefined, inputSchema: JsonObject | undefined = schema): JsonObject => ({
  name: 'x',
  ...(description === undefined ? {} : { description }),
  inputSchema,
});
const offered = (description: string | undefined, made: JsonObject = schema): OfferedTool => ({
  name: 'x',
  description,
  schema: made,
});

const rows: readonly [what: string, listed: JsonObject, offered: OfferedTool, changes: string[]][] = [
  ['nothing', tool('X'), offered('X'), []],
  ['a description that is absent, and one that is empty', tool(undefined), offered(''), []],
  [
    'a description where there was none',
    tool(''),
    offered('MCP tool'),
    ['description: MCP tool instead of '],
  ],
  ['a description with more behind it', tool('X'), offered('X\n(uri)'), ['description: (uri) added']],
  [
    'a description that is cut',
    tool('x'.repeat(5000)),
    offered(`${'x'.repeat(2048)}… [truncated]`),
    ['description cut from 5000 to 2048 characters, then … [truncated]'],
  ],
  ['another description', tool('X'), offered('Y'), ['description: Y instead of X']],
  [
    'a key that is removed',
    tool('X'),
    offered('X', { type: 'object', properties: { a: { type: 'string' } } }),
    ['$.properties.a.format removed'],
  ],
  [
    'keys that are added',
    tool('X', { type: 'object' }),
    offered('X', { type: 'object', properties: {}, additionalProperties: false }),
    ['$.additionalProperties: false added', '$.properties: {} added'],
  ],
  [
    'a value that became another',
    tool('X', { type: ['string', 'null'] }),
    offered('X', { type: 'string' }),
    ['$.type: ["string","null"] became "string"'],
  ],
  [
    'one of a list that became another',
    tool('X', { enum: ['a', null] }),
    offered('X', { enum: ['a', 'null'] }),
    ['$.enum[1]: null became "null"'],
  ],
  [
    'a list that is shorter',
    tool('X', { enum: ['a', null] }),
    offered('X', { enum: ['a'] }),
    ['$.enum: ["a",null] became ["a"]'],
  ],
  ['a schema that is gone', tool('X'), { name: 'x', description: 'X', schema: undefined }, ['$ removed']],
  ['the order of keys, which is no change', tool('X', { a: 1, b: 2 }), offered('X', { b: 2, a: 1 }), []],
  [
    'what is long, cut to what a person reads',
    tool('X', {}),
    offered('X', { pattern: 'p'.repeat(200) }),
    [`$.pattern: "${'p'.repeat(79)}… added`],
  ],
];
for (const [what, listed, made, changes] of rows) {
  t.test(`seen: ${what}`, async (t) => {
    t.strictSame(changesOf(listed, made), changes);
  });
}

t.test("a tool's cell says what was changed beyond what every tool gets", async (t) => {
  const closed = { ...schema, additionalProperties: false };
  const usual = changesOf(tool('X'), offered('X', closed));
  t.strictSame(usual, ['$.additionalProperties: false added']);
  t.equal(schemaCell(tool('X'), undefined, usual), 'tool dropped');
  t.equal(schemaCell(tool('X'), offered('X', closed), usual), 'same');
  t.equal(schemaCell(tool('X'), offered('Y', closed), usual), 'description: Y instead of X');
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, 1]));
  t.equal(
    schemaCell(tool('X', {}), offered('X', many), usual),
    '$.a: 1 added; $.b: 1 added; $.c: 1 added; $.d: 1 added; and 2 more',
  );
});
