import fc from 'fast-check';
import t from 'tap';
import { inputSchemaFault, maxSchemaLevels, maxSchemas } from '../../../lib/broker/check/input-schema.js';

const property = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
const nested = (levels: number) => {
  let schema: object = { type: 'string' };
  for (let level = 2; level < levels; level++) schema = { type: 'array', items: schema };
  return property(schema);
};
const wide = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }])),
});

t.test('what is good passes', async (t) => {
  const good: [string, unknown][] = [
    ['nothing but the type', { type: 'object' }],
    [
      'every keyword',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $comment: 'c',
        type: 'object',
        title: 't',
        description: 'd',
        properties: {
          text: {
            type: 'string',
            minLength: 1,
            maxLength: 9,
            pattern: '^[a-z]+$',
            format: 'uri',
            default: 'x',
            examples: ['y'],
          },
          number: {
            type: ['number', 'null'],
            minimum: -1,
            maximum: 1.5,
            exclusiveMinimum: -2,
            exclusiveMaximum: 2,
            multipleOf: 0.5,
          },
          list: { type: 'array', items: { type: 'integer' }, minItems: 0, maxItems: 3, uniqueItems: true },
          choice: {
            anyOf: [{ const: null }, { enum: [1, 'two', null] }],
            oneOf: [{}],
            allOf: [{ type: 'boolean' }],
          },
          open: {
            type: 'object',
            additionalProperties: { type: 'string' },
            minProperties: 0,
            maxProperties: 2,
          },
          flags: { deprecated: true, readOnly: false, writeOnly: false },
        },
        required: ['text'],
        additionalProperties: false,
      },
    ],
    [
      'properties named as keywords are',
      {
        type: 'object',
        properties: { type: { type: 'string' }, $ref: { type: 'string' }, required: {}, properties: {} },
      },
    ],
    ['a pattern that only the unicode flag refuses', property({ type: 'string', pattern: '^[\\w\\-]+$' })],
    [`${maxSchemaLevels} levels`, nested(maxSchemaLevels)],
    [`${maxSchemas} schemas`, wide(maxSchemas - 1)],
  ];
  for (const [what, schema] of good) t.equal(inputSchemaFault(schema), undefined, what);
});

t.test('what is bad is named with its place first', async (t) => {
  const bad: [unknown, string][] = [
    [property({ type: 'bogus' }), 'at $.properties.a.type: unknown type "bogus"'],
    [{}, 'at $.type: must be exactly "object", not absent'],
    [{ type: 'string' }, 'at $.type: must be exactly "object", not "string"'],
    [{ type: ['object'] }, 'at $.type: must be exactly "object", not "a list"'],
    [null, 'at $: must be an object'],
    [[], 'at $: must be an object'],
    [{ type: 'object', $ref: '#/x' }, 'at $.$ref: the keyword "$ref" is not allowed'],
    [{ type: 'object', $defs: {} }, 'at $.$defs: the keyword "$defs" is not allowed'],
    [{ type: 'object', 'x-y': 1 }, 'at $["x-y"]: the keyword "x-y" is not allowed'],
    [{ type: 'object', required: null }, 'at $.required: must be a list of strings'],
    [{ type: 'object', required: ['a', 'a'] }, 'at $.required: names a property twice'],
    [{ type: 'object', properties: [] }, 'at $.properties: must be an object'],
    [
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      'at $.properties.__proto__: no property may have this name',
    ],
    [property(true), 'at $.properties.a: must be a schema object, not true'],
    [property({ type: [] }), 'at $.properties.a.type: must not be empty'],
    [property({ type: ['string', 'string'] }), 'at $.properties.a.type: names a type twice'],
    [property({ items: [{}] }), 'at $.properties.a.items: must be a schema object, not "a list"'],
    [
      property({ additionalProperties: 1 }),
      'at $.properties.a.additionalProperties: must be a schema object, not 1',
    ],
    [property({ anyOf: [] }), 'at $.properties.a.anyOf: must be a list of schemas that is not empty'],
    [property({ anyOf: [{}, { type: 'x' }] }), 'at $.properties.a.anyOf[1].type: unknown type "x"'],
    [property({ enum: [] }), 'at $.properties.a.enum: must be a list that is not empty'],
    [property({ pattern: '(' }), 'at $.properties.a.pattern: "(" is not a regular expression'],
    [property({ minimum: '1' }), 'at $.properties.a.minimum: must be a number'],
    [property({ minLength: 1.5 }), 'at $.properties.a.minLength: must be a whole number from 0'],
    [property({ multipleOf: 0 }), 'at $.properties.a.multipleOf: must be a number greater than 0'],
    [property({ uniqueItems: 'yes' }), 'at $.properties.a.uniqueItems: must be true or false'],
    [property({ description: 1 }), 'at $.properties.a.description: must be a string'],
    [{ type: 'object', properties: { 'a b': { type: 1 } } }, 'at $.properties["a b"].type: unknown type 1'],
  ];
  for (const [schema, fault] of bad) t.equal(inputSchemaFault(schema), fault, fault);
  t.match(inputSchemaFault(nested(maxSchemaLevels + 1)), /nests deeper than 16 levels/);
  t.match(inputSchemaFault(wide(maxSchemas)), /more than 512 schemas/);
});

t.test('a hostile depth is refused and breaks nothing', async (t) => {
  let json = '{"type":"string"}';
  for (let i = 0; i < 50_000; i++) json = `{"items":${json}}`;
  t.match(inputSchemaFault(property(JSON.parse(json))), /nests deeper than 16 levels/);
  const list = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  for (const keyword of ['default', 'const', 'enum', 'examples']) {
    t.match(inputSchemaFault(property({ [keyword]: [list] })), /nests deeper than 128 levels/, keyword);
  }
});

t.test('whatever comes, the check answers, and a fault starts with its place', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const fault = inputSchemaFault({ type: 'object', properties: { a: value } });
        return fault === undefined || /^at \$/.test(fault);
      }),
    ),
  );
});
