import t from 'tap';
import { decodeArguments } from '../../../lib/gateway/calls/decoding.js';
import type { JsonObject } from '../../../lib/wire/json.js';

const schema: JsonObject = {
  type: 'object',
  properties: {
    where: { type: 'object' },
    list: { type: 'array' },
    both: { type: ['array', 'null'] },
    text: { type: 'string' },
    either: { type: ['object', 'string'] },
    any: {},
    branch: { anyOf: [{ type: 'array' }, { type: 'null' }] },
    loose: { oneOf: [{ type: 'array' }, {}] },
  },
};

const rows: readonly [what: string, given: unknown, decoded: JsonObject | undefined][] = [
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['an object', { text: 'x', n: 1 }, { text: 'x', n: 1 }],
  ['the whole as a text', '{"text":"x"}', { text: 'x' }],
  ['a list', [], undefined],
  ['a number', 7, undefined],
  ['a text', 'hello', undefined],
  ['the whole as the text of a list', '[1]', undefined],
  ['an object as a text', { where: ' {"x":1}' }, { where: { x: 1 } }],
  ['a list as a text', { list: '[1,"2"]' }, { list: [1, '2'] }],
  ['a list or null as a text', { both: '[]' }, { both: [] }],
  ['one of a branch as a text', { branch: '[]' }, { branch: [] }],
  ['only once', { list: '["[1]"]' }, { list: ['[1]'] }],
  ['not a list where an object is wanted', { where: '[1]' }, { where: '[1]' }],
  ['not what only looks like JSON', { list: '[1' }, { list: '[1' }],
  ['not where a text is wanted', { text: '{"a":1}' }, { text: '{"a":1}' }],
  ['not where a text is allowed', { either: '{"a":1}' }, { either: '{"a":1}' }],
  ['not where anything is allowed', { any: '[1]', loose: '[1]' }, { any: '[1]', loose: '[1]' }],
  ['not what the schema does not know', { other: '[1]' }, { other: '[1]' }],
  ['not a number', { list: '7' }, { list: '7' }],
];
for (const [what, given, decoded] of rows) {
  t.test(`decodes ${what}`, async (t) => t.strictSame(decodeArguments(given, schema), decoded));
}

t.test('a key called __proto__ is a key', async (t) => {
  const given: unknown = JSON.parse('{"__proto__":{"x":1},"list":"[1]"}');
  t.equal(JSON.stringify(decodeArguments(given, schema)), '{"__proto__":{"x":1},"list":[1]}');
});
