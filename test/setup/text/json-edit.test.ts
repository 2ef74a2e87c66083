// Edits of any JSON with comments: the values are those of before with the one difference, no comment is lost, and
// what was there still stands there in its order.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { removeJson, setJson } from '../../../lib/setup/text/json-edit.js';
import { commentsOf, readJson } from '../../../lib/setup/text/json-text.js';

const tolerant = { comments: true, trailingCommas: true, byteOrderMark: true };

/** What may stand between two tokens. */
const trivia = fc.constantFrom(
  '',
  '',
  ' ',
  '\n',
  '\r\n',
  '\n\t',
  '\n    ',
  '/* , { */',
  ' // "}\n',
  '\n// [,\n  ',
);
const key = fc.constantFrom('b', 'c', 'leon', 'mcp', '');
const scalar = fc.constantFrom('1', '-2.5e3', 'true', 'null', '""', '"// no"', '"}, \\" \\\\"');

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('array')),
  array: fc
    .tuple(trivia, fc.array(fc.tuple(tie('value'), trivia), { maxLength: 3 }))
    .map(([space, parts]) => `[${space}${parts.map((part) => part.join('')).join(',')}]`),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value'), trivia, trivia, trivia), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .chain((parts) => fc.tuple(fc.constant(parts), trivia, fc.boolean(), trivia))
    .map(([parts, space, comma, end]) =>
      objectText(
        parts.map(([name, ...rest]) => [name, ...rest]),
        space,
        comma,
        end,
      ),
    ),
}));

type Part = readonly [name: string, value: string, ...trivia: string[]];

function objectText(parts: readonly Part[], space: string, comma: boolean, end: string): string {
  const inner = parts.map(
    ([name, one, a = '', b = '', c = '']) => `${a}${JSON.stringify(name)}${b}:${c}${one}`,
  );
  return `{${space}${inner.join(',')}${comma && inner.length > 0 ? ',' : ''}${end}}`;
}

/** A file: with the object of servers, or without. */
const file = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, value, trivia, trivia, trivia), {
      maxLength: 3,
      selector: ([name]) => name,
    }),
    fc.option(
      fc.tuple(
        fc.uniqueArray(fc.tuple(key, value, trivia, trivia, trivia), {
          maxLength: 3,
          selector: ([name]) => name,
        }),
        trivia,
        fc.boolean(),
        trivia,
      ),
    ),
    fc.nat(3),
    trivia,
    fc.boolean(),
    trivia,
    fc.constantFrom('', '\n', ' // end', '\r\n'),
  )
  .map(([parts, servers, at, space, comma, end, tail]) => {
    const all: Part[] = parts.map((part) => [...part]);
    if (servers !== null) all.splice(at, 0, ['a', objectText(...servers), '\n', ' ', '']);
    return `${objectText(all, space, comma, end)}${tail}`;
  });

const entries = fc.constantFrom({ k: 1, l: ['x'] }, {}, { deep: { er: [] } });

const sorted = (texts: readonly string[]) => [...texts].sort();
const bare = (text: string) => text.replace(/[\s,]/g, '');

t.test('an entry goes into any file, and out again', (t) => {
  fc.assert(
    fc.property(file, entries, (text, entry) => {
      const before = readJson(text, 'f', tolerant, []);
      const put = setJson(text, ['a', 'leo'], entry);
      const servers = before.a;
      assert.deepEqual(sorted(commentsOf(put)), sorted(commentsOf(text)));
      assert.deepEqual(readJson(put, 'f', tolerant, []), {
        ...before,
        a: { ...(typeof servers === 'object' ? servers : {}), leo: entry },
      });
      const taken = removeJson(put, ['a', 'leo']);
      assert.deepEqual(readJson(taken, 'f', tolerant, []), { ...before, a: servers ?? {} });
      assert.deepEqual(commentsOf(taken), commentsOf(text));
      // Nothing but white space and commas differs from what was there.
      if (servers !== undefined) assert.equal(bare(taken), bare(text));
    }),
    { numRuns: 1000 },
  );
  t.end();
});
