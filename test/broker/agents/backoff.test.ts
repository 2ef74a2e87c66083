import t from 'tap';
import { afterExit, type Exit } from '../../../lib/broker/agents/backoff.js';

const ended = (code: number | null, signal: number | null = null): Exit => ({ code, signal });

t.test('who is started again, and when', async (t) => {
  const rows: readonly (readonly [
    policy: 'never' | 'on-failure',
    exit: Exit,
    ranMs: number,
    failures: number,
    expected: undefined | readonly [delayMs: number, failures: number],
  ])[] = [
    ['never', ended(1), 100, 0, undefined],
    ['never', ended(0), 100_000, 0, undefined],
    ['on-failure', ended(0), 15_000, 0, undefined],
    ['on-failure', ended(0), 14_999, 0, [1000, 1]],
    ['on-failure', ended(1), 100, 0, [1000, 1]],
    ['on-failure', ended(1), 100, 1, [2000, 2]],
    ['on-failure', ended(1), 100, 2, [4000, 3]],
    ['on-failure', ended(1), 100, 8, [256_000, 9]],
    ['on-failure', ended(1), 100, 9, [300_000, 10]],
    ['on-failure', ended(1), 100, 5000, [300_000, 5001]],
    ['on-failure', ended(1), 60_000, 7, [1000, 1]],
    ['on-failure', ended(null, 9), 60_000, 0, [1000, 1]],
    ['on-failure', ended(null, 11), 60_000, 0, [1000, 1]],
    // Ctrl-C, a closed terminal, kill.
    ['on-failure', ended(null, 2), 60_000, 0, undefined],
    ['on-failure', ended(130), 60_000, 0, undefined],
    ['on-failure', ended(null, 1), 60_000, 0, undefined],
    ['on-failure', ended(null, 15), 60_000, 0, undefined],
    ['on-failure', ended(143), 60_000, 0, undefined],
    ['on-failure', ended(null, 15), 100, 0, [1000, 1]],
    ['on-failure', ended(137), 60_000, 0, [1000, 1]],
    ['on-failure', ended(null), 60_000, 0, [1000, 1]],
  ];
  for (const [policy, exit, ranMs, failures, expected] of rows) {
    t.strictSame(
      afterExit(policy, exit, ranMs, failures),
      expected === undefined
        ? { kind: 'stay' }
        : { kind: 'restart', delayMs: expected[0], failures: expected[1] },
      `${policy}, ${JSON.stringify(exit)} after ${ranMs} ms and ${failures} failures`,
    );
  }
});
