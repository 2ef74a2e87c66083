import t from 'tap';
import { cut, duration, oneLine, printable, table } from '../../lib/cli/table.js';

t.test('a duration has at most two units', (t) => {
  const rows: readonly (readonly [number, string])[] = [
    [-1, '0 s'],
    [0, '0 s'],
    [0.9, '0 s'],
    [59, '59 s'],
    [60, '1 m'],
    [125, '2 m 5 s'],
    [3600, '1 h'],
    [12_000, '3 h 20 m'],
    [86_400, '1 d'],
    [349_300, '4 d 1 h'],
  ];
  for (const [seconds, text] of rows) t.equal(duration(seconds), text, `${seconds} s`);
  t.end();
});

t.test('columns are as wide as their widest cell, and the last takes what is left of the line', (t) => {
  const rows = [
    ['a', 'x'.repeat(40)],
    ['longer', 'y'],
  ];
  t.equal(table(['ONE', 'TWO'], rows), `ONE     TWO\na       ${'x'.repeat(40)}\nlonger  y`);
  t.equal(table(['ONE', 'TWO'], rows, 30), `ONE     TWO\na       ${'x'.repeat(21)}…\nlonger  y`);
  t.end();
});

t.test('a table obeys nothing that a cell says', (t) => {
  const cells = [['\u001b[2Jred\u0007', 'two\nlines\u009b31m\u2028three']];
  t.equal(table(['A', 'B'], cells), 'A       B\n[2Jred  two lines 31m three');
  t.end();
});

t.test('text keeps its lines and tabs and loses what a terminal would obey', (t) => {
  t.equal(printable('a\tb\nc\u001b]0;title\u0007d\r'), 'a\tb\nc]0;titled');
  t.equal(oneLine(' a\r\n b\t'), 'a  b');
  t.end();
});

t.test('a cut counts characters, not halves of them', (t) => {
  t.equal(cut('😀😀😀', 3), '😀😀😀');
  t.equal(cut('😀😀😀😀', 3), '😀😀…');
  t.end();
});
