import fc from 'fast-check';
import t from 'tap';
import { redialDelay } from '../../../lib/gateway/link/redial.js';

t.test('dials soon at first, then ever more slowly, and never gives up', async (t) => {
  const delays = [1, 2, 3, 4, 5, 6, 100, 1e6].map((attempt) => redialDelay(attempt, 'failed', 0.5));
  t.strictSame(delays, [50, 100, 200, 400, 800, 1500, 1500, 1500]);
});

t.test('looks for a missing socket often, and asks a daemon of another version seldom', async (t) => {
  t.equal(redialDelay(50, 'absent', 0.5), 250);
  t.equal(redialDelay(50, 'protocol', 0.5), 5000);
});

t.test('gateways do not come back in step', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const delay = redialDelay(attempt, 'refused', random);
        const middle = redialDelay(attempt, 'refused', 0.5);
        return delay >= middle * 0.74 && delay <= middle * 1.26;
      },
    ),
  );
});
