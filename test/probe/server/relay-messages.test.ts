import fc from 'fast-check';
import t from 'tap';
import { splitLines } from '../../../lib/probe/server/relay-messages.js';

const rows: readonly [held: string, chunk: string, lines: readonly string[], rest: string][] = [
  ['', '', [], ''],
  ['', 'a', [], 'a'],
  ['a', 'b\n', ['ab'], ''],
  ['', 'a\nb\nc', ['a', 'b'], 'c'],
  ['', '\n\n  \na\n', ['a'], ''],
  ['a', '\n', ['a'], ''],
  ['', 'a\r\nb', ['a\r'], 'b'],
];
for (const [held, chunk, lines, rest] of rows) {
  t.test(`${JSON.stringify(held)} and then ${JSON.stringify(chunk)}`, async (t) => {
    t.strictSame(splitLines(held, chunk), { lines, rest });
  });
}

t.test('lines come out the same however they are cut', async () => {
  const line = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '' && !text.includes('\n'));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(), { maxLength: 5 }), (lines, cuts) => {
      const whole = lines.map((text) => `${text}\n`).join('');
      const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1))), whole.length].sort(
        (left, right) => left - right,
      );
      let held = '';
      const came = places.flatMap((place, index) => {
        const split = splitLines(held, whole.slice(places[index - 1] ?? 0, place));
        held = split.rest;
        return split.lines;
      });
      return held === '' && JSON.stringify(came) === JSON.stringify(lines);
    }),
  );
});
