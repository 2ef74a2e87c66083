import t from 'tap';
import { globMatches, isDenied } from '../../lib/wire/deny.js';

t.test('a glob matches a whole text', async (t) => {
  const table: [string, string, boolean][] = [
    ['', '', true],
    ['', 'a', false],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbb', false],
    ['?', 'a', true],
    ['?', '', false],
    ['a?c', 'abc', true],
    ['*b*', 'abc', true],
    ['**', 'x', true],
    ['a.c', 'abc', false],
    ['*a*a*a*a*a*b', 'a'.repeat(5000), false],
  ];
  for (const [glob, text, expected] of table)
    t.equal(globMatches(glob, text), expected, `${glob} ${text.slice(0, 10)}`);
});

t.test('denied names are compared as Leo compares names', async (t) => {
  t.ok(isDenied(['Take-Photo'], 'take_photo'));
  t.ok(isDenied(['take-*'], 'take_photo'));
  t.notOk(isDenied(['take'], 'take_photo'));
  t.notOk(isDenied([], 'take_photo'));
});
