import t from 'tap';
import { keepAliveEvery, softDeadlineMs } from '../../../lib/gateway/calls/soft-deadline.js';

const rows: readonly [
  what: string,
  limitS: number | undefined,
  progressExtends: boolean,
  hears: boolean,
  softS: number | undefined,
][] = [
  ['no limit', undefined, false, true, undefined],
  ['codex', 300, false, true, 285],
  ['Gemini CLI and Qwen Code', 600, false, true, 585],
  ['cline, which gives no token', 60, false, false, 45],
  ['opencode', 60, true, true, undefined],
  ['opencode, in a call without a token', 60, true, false, 45],
  ['Copilot CLI, in a call without a token', 180, true, false, 165],
  ['an unknown harness, even with a token', 60, false, true, 45],
  ['a limit that leaves no margin', 20, false, true, 10],
  ['a limit of less than the margin', 0.4, false, true, 0.2],
];
for (const [what, limitS, progressExtends, hears, softS] of rows) {
  t.test(`${what}: ${softS === undefined ? 'waits for ever' : `is answered after ${softS} s`}`, async (t) => {
    const limit = { ms: limitS === undefined ? undefined : limitS * 1000, progressExtends };
    t.equal(softDeadlineMs(limit, hears), softS === undefined ? undefined : softS * 1000);
  });
}

t.test('a sign of life comes every 15 s, and before a limit that is shorter', async (t) => {
  const every = (ms: number | undefined) => keepAliveEvery({ ms, progressExtends: true });
  t.equal(every(undefined), 15_000);
  t.equal(every(60_000), 15_000);
  t.equal(every(20_000), 10_000);
});
