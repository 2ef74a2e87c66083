import t from 'tap';
import { measureDefaultLimit, measureSetLimit } from '../../../../lib/probe/measure/calls/limits.js';
import { standIn, valuesOf } from '../../../support/stand-in-install.js';

// Each test has places of its own, and mostly waits.
t.jobs = 3;

t.test('a default limit that is not reached is none up to the wait', async (t) => {
  t.strictSame(valuesOf(await measureDefaultLimit(standIn(t), 0.5)), {
    'default limit': 'none up to 0.5 s',
    'sent on giving up': 'nothing',
    'the model sees': 'the result',
  });
});

t.test('a default limit is measured, with what is sent and what the model sees', async (t) => {
  const figures = await measureDefaultLimit(standIn(t, { callLimitMs: 700 }), 60);
  t.match(valuesOf(figures), {
    'default limit': /^[01]\.\d s$/,
    'sent on giving up': 'notifications/cancelled: timed out',
    'the model sees': 'MCP error -32001: Request timed out',
  });
  t.match(figures['default limit']?.evidence, /tools\/call[\s\S]*notifications\/cancelled/);
});

for (const [progressExtends, cell] of [
  [false, 'no'],
  [true, 'yes'],
] as const) {
  t.test(`a limit that is set is honoured; progress extends it: ${cell}`, async (t) => {
    t.strictSame(valuesOf(await measureSetLimit(standIn(t, { progressExtends }))), {
      setting: '2 s honoured',
      'progress extends it': cell,
    });
  });
}
