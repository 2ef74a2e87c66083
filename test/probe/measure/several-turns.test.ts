import t from 'tap';
import { measureModern } from '../../../lib/probe/measure/modern.js';
import { measureResumed, measureSession } from '../../../lib/probe/measure/several-turns.js';
import { standIn, valuesOf } from '../../support/stand-in-install.js';

// Each test has places of its own, and mostly waits.
t.jobs = 3;

t.test('a harness that lists again is seen to, in a turn, in the next one, and while idle', async (t) => {
  t.strictSame(valuesOf(await measureSession(standIn(t))), {
    'same turn, in a session': 'yes',
    'next turn': 'yes',
    'while idle': 'yes',
  });
});

t.test('a harness that does not list again is seen not to', async (t) => {
  t.strictSame(valuesOf(await measureSession(standIn(t, { relists: false }))), {
    'same turn, in a session': 'no',
    'next turn': 'no',
    'while idle': 'no',
  });
});

t.test('a session that is taken up again lists afresh', async (t) => {
  const figures = await measureResumed(standIn(t));
  t.strictSame(valuesOf(figures), { 'resumed, new process': 'fresh list' });
  t.match(figures['resumed, new process']?.evidence, /--continue/);
});

t.test('a harness that does not ask for the newer wire is seen not to', async (t) => {
  t.strictSame(valuesOf(await measureModern(standIn(t))), {
    'server/discover answered': 'not asked: initialize',
    'same turn, after subscriptions/listen': 'not used',
  });
});
