import t from 'tap';
import { compareVersions, understandEachOther } from '../../lib/doctor/versions.js';

t.test('versions are ordered by their numbers, and what is none by nothing', (t) => {
  const rows: readonly (readonly [string, string, number])[] = [
    ['1.2.3', '1.2.3', 0],
    ['v1.2.3', '1.2.3', 0],
    ['1.2.10', '1.2.9', 1],
    ['1.10.0', '1.9.9', 1],
    ['0.9.9', '1.0.0', -1],
    ['1.0.0-beta.1', '1.0.0', -1],
    ['1.0.0', '1.0.0-beta.1', 1],
    ['1.0.0-a', '1.0.0-b', 0],
    ['1.0.1-beta', '1.0.0', 1],
    ['unknown', '1.0.0', 0],
    ['1.0.0', '', 0],
  ];
  for (const [a, b, order] of rows) t.equal(Math.sign(compareVersions(a, b)), order, `${a} and ${b}`);
  t.end();
});

t.test('neighbouring minor versions understand each other', (t) => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['0.1.0', '0.1.7', true],
    ['0.1.0', '0.2.3', true],
    ['0.3.0', '0.2.3', true],
    ['0.1.0', '0.3.0', false],
    ['1.1.0', '0.1.0', false],
    ['0.1.0', 'new', false],
  ];
  for (const [a, b, understood] of rows) t.equal(understandEachOther(a, b), understood, `${a} and ${b}`);
  t.end();
});
