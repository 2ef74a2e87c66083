import fc from 'fast-check';
import t from 'tap';
import { type Line, LineReader } from '../../../lib/gateway/stdio/lines.js';
import { cutAt } from '../../support/chunks.js';

const read = (chunks: readonly (string | Buffer)[], maxBytes?: number): Line[] => {
  const reader = new LineReader(maxBytes);
  return [...chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))), ...reader.end()];
};
const texts = (lines: readonly Line[]) =>
  lines.map((line) => (line.kind === 'text' ? line.text.trim() : line));

const euro = Buffer.from('"€"\n');
const rows: readonly [what: string, chunks: readonly (string | Buffer)[], lines: readonly string[]][] = [
  ['LF', ['1\n2\n'], ['1', '2']],
  ['CRLF', ['1\r\n2\r\n'], ['1', '2']],
  ['CR and LF in two chunks', ['1\r', '\n2\n'], ['1', '2']],
  ['blank lines', ['\n\n1\n \n\r\n2\n'], ['1', '2']],
  ['a byte-order mark in front', ['\ufeff1\n2\n'], ['1', '2']],
  ['a byte-order mark in three chunks', [Buffer.of(0xef), Buffer.of(0xbb), Buffer.of(0xbf), '1\n'], ['1']],
  ['a byte-order mark and nothing else', ['\ufeff'], []],
  ['a line without an end', ['1\n2'], ['1', '2']],
  ['nothing', [], []],
  ['a character cut by chunks', [euro.subarray(0, 2), euro.subarray(2, 3), euro.subarray(3)], ['"€"']],
  ['the end in the middle of a character', ['1\n', euro.subarray(0, 2)], ['1', '"\ufffd']],
  ['invalid UTF-8', [Buffer.from([0x22, 0xff, 0xc0, 0x22, 0x0a])], ['"\ufffd\ufffd"']],
];

for (const [what, chunks, lines] of rows) {
  t.test(`reads ${what}`, async (t) => t.strictSame(texts(read(chunks)), lines));
}

t.test('keeps the two ends of a line that is too long, and reads on', async (t) => {
  const long = `{"id":7,${'x'.repeat(9000)}"end"}`;
  const [first, second, ...more] = read([...(`${long}\n{"id":8}\n`.match(/[\s\S]{1,700}/g) ?? [])], 5000);
  t.match(first, { kind: 'oversize', bytes: long.length });
  t.ok(first?.kind === 'oversize' && long.startsWith(first.head) && long.endsWith(first.tail));
  t.strictSame(second, { kind: 'text', text: '{"id":8}' });
  t.strictSame(more, []);
});

t.test('a line of exactly the limit is read', async (t) => {
  t.equal(read([`${'x'.repeat(5000)}\n`], 5000)[0]?.kind, 'text');
  t.equal(read([`${'x'.repeat(5001)}\n`], 5000)[0]?.kind, 'oversize');
});

t.test('where the chunks are cut makes no difference', async () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(12)), (parts, cuts) => {
      const bytes = Buffer.from(parts.join('\n'));
      const chunks = cutAt(bytes, cuts);
      const whole = JSON.stringify(read([bytes], 20));
      return JSON.stringify(read(chunks, 20)) === whole;
    }),
  );
});
