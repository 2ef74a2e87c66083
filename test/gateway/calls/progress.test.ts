import fc from 'fast-check';
import t from 'tap';
import { nextProgress, ProgressReporter } from '../../../lib/gateway/calls/progress.js';
import type { AppProgress } from '../../../lib/gateway/link/messages.js';
import { ManualClock } from '../../support/manual-clock.js';

const everyMs = 15_000;
const reporting = () => {
  const clock = new ManualClock();
  const sent: AppProgress[] = [];
  return {
    clock,
    sent,
    reporter: new ProgressReporter(clock, 'snap', everyMs, (progress) => sent.push(progress)),
  };
};

t.test('a silent call gives a sign of life every 15 s', async (t) => {
  const { clock, sent, reporter } = reporting();
  clock.advance(everyMs - 1);
  t.equal(sent.length, 0);
  clock.advance(2 * everyMs);
  t.match(sent, [{ message: 'waiting for snap, 15 s so far' }, { message: 'waiting for snap, 30 s so far' }]);
  reporter.stop();
  clock.advance(10 * everyMs);
  t.equal(sent.length, 2);
});

t.test('what the app says goes through, and puts the sign of life off', async (t) => {
  const { clock, sent, reporter } = reporting();
  clock.advance(everyMs - 1);
  reporter.report({ progress: 1, total: 4, message: 'looking' });
  t.strictSame(sent, [{ progress: 1, total: 4, message: 'looking' }]);
  clock.advance(everyMs - 1);
  t.equal(sent.length, 1);
  clock.advance(1);
  t.match(sent[1], { total: 4 });
  reporter.stop();
});

t.test('values only grow, whatever the app says', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('rest'))),
      (steps) => {
        const { clock, sent, reporter } = reporting();
        for (const step of steps) {
          if (step === 'rest') clock.advance(everyMs);
          else if (Math.abs(Number(step)) < 1e300) reporter.report({ progress: Number(step) });
        }
        reporter.stop();
        return sent.every(
          ({ progress }, n) => progress > (sent[n - 1]?.progress ?? Number.NEGATIVE_INFINITY),
        );
      },
    ),
  );
});

t.test('a sign of life hardly moves the value', async (t) => {
  t.ok(nextProgress(1, 1) - 1 < 1e-5);
  t.equal(nextProgress(1, 2), 2);
  t.ok(nextProgress(1e15, 1) > 1e15);
});
