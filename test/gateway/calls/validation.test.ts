import t from 'tap';
import { compileCheck } from '../../../lib/gateway/calls/validation.js';
import type { JsonObject } from '../../../lib/wire/json.js';

const logged: string[] = [];
const check = (schema: JsonObject, args: JsonObject) =>
  compileCheck('snap', { type: 'object', ...schema }, (message) => logged.push(message))(args);

const rows: readonly [
  what: string,
  schema: JsonObject,
  args: JsonObject,
  problem: string | RegExp | undefined,
][] = [
  ['what fits', { properties: { a: { type: 'string' } }, required: ['a'] }, { a: 'x' }, undefined],
  ['a wrong type', { properties: { a: { type: 'string' } } }, { a: 7 }, 'at $.a: must be string'],
  ['what is missing', { required: ['a'] }, {}, 'at $.a: is required'],
  [
    'what is unknown',
    { properties: {}, additionalProperties: false },
    { 'b c': 1 },
    'at $["b c"]: is not a known property',
  ],
  [
    'a place in a list',
    { properties: { a: { items: { type: 'number' } } } },
    { a: [1, 'x'] },
    'at $.a[1]: must be number',
  ],
  ['an enum', { properties: { a: { enum: ['x', 'y'] } } }, { a: 'z' }, 'at $.a: must be one of ["x","y"]'],
  ['a const', { properties: { a: { const: 1 } } }, { a: 2 }, 'at $.a: must be 1'],
  [
    'a name with a slash',
    { properties: { 'a/b': { type: 'string' } } },
    { 'a/b': 1 },
    'at $["a/b"]: must be string',
  ],
  ['more than one thing', { required: ['a', 'b'] }, {}, 'at $.a: is required; at $.b: is required'],
  [
    'a root anyOf',
    { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { c: 1 },
    /is required.*match a schema in anyOf/,
  ],
  ['an unknown format', { properties: { a: { format: 'moon' } } }, { a: 'x' }, undefined],
  ['a known format', { properties: { a: { format: 'email' } } }, { a: 'no email' }, undefined],
  ['a pattern', { properties: { a: { pattern: '^x' } } }, { a: 'y' }, /at \$\.a: must match pattern/],
  [
    'a pattern that is not Unicode',
    { properties: { a: { pattern: '^a\\-b$' } } },
    { a: 'y' },
    /at \$\.a: must match pattern/,
  ],
  ['an old $schema', { $schema: 'http://json-schema.org/draft-04/schema#' }, {}, undefined],
  ['a $comment and examples', { $comment: 'x', examples: [1], deprecated: true }, {}, undefined],
];
for (const [what, schema, args, problem] of rows) {
  t.test(`checks ${what}`, async (t) => {
    if (problem instanceof RegExp) t.match(check(schema, args), problem);
    else t.equal(check(schema, args), problem);
  });
}

t.test('names so many problems and no more', async (t) => {
  const required = Array.from({ length: 20 }, (_, n) => `p${n}`);
  t.match(check({ required }, {}), /\$\.p7: is required; and 12 more$/);
});

t.test('a schema that cannot be used accepts everything, and the log says so', async (t) => {
  t.equal(check({ properties: { a: { pattern: '(' } } }, { a: 'x' }), undefined);
  t.match(logged.at(-1), /arguments of snap are not checked/);
});
