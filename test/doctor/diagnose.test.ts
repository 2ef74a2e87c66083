// Facts to lines, row by row. Each row changes one thing about a home in which nothing is wrong.

import t from 'tap';
import { diagnose } from '../../lib/doctor/diagnose.js';
import { daemonRows } from './daemon-rows.js';
import { good } from './good-home.js';
import { homeRows } from './home-rows.js';

t.test('each fault has its line, and the command that mends it', (t) => {
  for (const [change, status, check, text, mend] of [...homeRows, ...daemonRows]) {
    const lines = diagnose({ ...good, ...change });
    const found = lines.find((line) => line.check === check && line.text.includes(text));
    t.match(found, { status }, `${check}: ${text}`, { lines });
    t.equal(found?.mend, mend);
  }
  t.end();
});

t.test('where nothing is wrong, every check has a line and all of them pass', (t) => {
  const lines = diagnose(good);
  t.ok(lines.every(({ status, mend }) => status === 'pass' && mend === null));
  const checks = [
    'node',
    'home',
    'config',
    'socket',
    'daemon',
    'service',
    'port',
    'versions',
    'tokens',
    'tmux',
    'harness',
    'apps',
  ];
  t.same(
    lines.map(({ check }) => check),
    checks,
  );
  t.end();
});
