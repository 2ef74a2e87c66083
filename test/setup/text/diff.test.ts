import t from 'tap';
import { unifiedDiff } from '../../../lib/setup/index.js';

t.test('a diff shows the lines that change, with three around them', (t) => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  t.same(unifiedDiff('/x', before, before.replace('e\n', 'E\nE2\n')), [
    '--- /x',
    '+++ /x',
    '@@ -2,7 +2,8 @@',
    ' b',
    ' c',
    ' d',
    '-e',
    '+E',
    '+E2',
    ' f',
    ' g',
    ' h',
  ]);
  t.same(unifiedDiff('/x', null, 'a\n'), ['--- /dev/null', '+++ /x', '@@ -0,0 +1,1 @@', '+a']);
  t.same(unifiedDiff('/x', 'a\r\n', null), ['--- /x', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-a']);
  t.same(unifiedDiff('/x', 'a\nb', 'a\nb\n'), [
    '--- /x',
    '+++ /x',
    '@@ -1,2 +1,2 @@',
    ' a',
    '-b (no newline at the end)',
    '+b',
  ]);
  t.same(unifiedDiff('/x', 'a\n', 'a\n'), []);
  t.end();
});
