import t from 'tap';
import { evidenceOf, isFromHarness } from '../../lib/probe/figure.js';
import { startTrace, type TraceEntry, traceLine } from '../../lib/probe/trace.js';

const noTime = 60_000;
const isSecond = (entries: readonly TraceEntry[]) => entries.length === 2;
const said = { kind: 'model-said', text: 'x' } as const;

t.test(
  'a wait is over when its condition holds: at once, or with the entry that makes it hold',
  async (t) => {
    const trace = startTrace();
    trace.add(said);
    t.equal(await trace.until((entries) => entries.length === 1, noTime), true);
    const [one, other] = [trace.until(isSecond, noTime), trace.until(isSecond, noTime)];
    trace.add(said);
    t.strictSame(await Promise.all([one, other]), [true, true]);
  },
);

t.test('a wait in vain ends with its time', async (t) => {
  t.equal(await startTrace().until(() => false, 1), false);
});

t.test('the end of the trace ends every wait, and each later one', async (t) => {
  const trace = startTrace();
  const waiting = [trace.until(isSecond, noTime), trace.until(() => false, noTime)];
  trace.end();
  t.strictSame(await Promise.all(waiting), [false, false]);
  t.equal(await trace.until(() => false, noTime), false);
  trace.add(said);
  t.equal(await trace.until((entries) => entries.length === 1, noTime), true, 'what holds, holds');
});

t.test('entries keep their order and their time', async (t) => {
  const trace = startTrace();
  for (const text of ['a', 'b']) trace.add({ kind: 'model-said', text });
  t.match(trace.entries, [
    { kind: 'model-said', text: 'a' },
    { kind: 'model-said', text: 'b' },
  ]);
  const times = trace.entries.map(({ at }) => at);
  t.strictSame(
    [...times, trace.now()],
    [...times, trace.now()].sort((left, right) => left - right),
  );
});

const lines: readonly [TraceEntry, string][] = [
  [
    { at: 7, kind: 'from-harness', server: 0, message: { id: 1 } },
    '      7 ms  harness -> server 0: {"id":1}',
  ],
  [{ at: 7, kind: 'from-harness', server: 0, message: 'no' }, '      7 ms  harness -> server 0: "no"'],
  [{ at: 70, kind: 'to-harness', server: 1, message: {} }, '     70 ms  harness <- server 1: {}'],
  [{ at: 0, kind: 'server', server: 2, what: 'stdin-end' }, '      0 ms  server 2: stdin-end'],
  [{ at: 0, kind: 'harness', what: 'ended: exit code 0' }, '      0 ms  harness: ended: exit code 0'],
  [{ at: 0, kind: 'model-asked', text: 'q' }, '      0 ms  harness -> model: q'],
  [{ at: 1234567, kind: 'model-said', text: 'a' }, '1234567 ms  harness <- model: a'],
  [
    { at: 0, kind: 'model-said', text: 'a'.repeat(2000) },
    `      0 ms  harness <- model: ${'a'.repeat(600 - 'harness <- model: '.length)}…`,
  ],
];
for (const [entry, line] of lines) {
  t.test(`an entry as a line: ${line.slice(0, 60)}`, async (t) => t.equal(traceLine(entry), line));
}

t.test('evidence is the first lines that a condition picks, or says that there are none', async (t) => {
  const trace = startTrace();
  for (const text of ['a', 'b', 'c']) trace.add({ kind: 'model-said', text });
  t.match(
    evidenceOf(trace, () => true, 2),
    /^\d+ ms {2}harness <- model: a\n\d+ ms {2}harness <- model: b$/,
  );
  t.equal(
    evidenceOf(trace, () => false),
    'nothing of the kind was seen',
  );
});

t.test('a message of the harness is told by its method', async (t) => {
  const message = { method: 'tools/list' };
  t.ok(isFromHarness({ at: 0, kind: 'from-harness', server: 0, message }, 'tools/list'));
  t.notOk(isFromHarness({ at: 0, kind: 'from-harness', server: 0, message }, 'tools/call'));
  t.notOk(isFromHarness({ at: 0, kind: 'to-harness', server: 0, message }, 'tools/list'));
  for (const odd of ['tools/list', null, 7, ['tools/list']])
    t.notOk(isFromHarness({ at: 0, kind: 'from-harness', server: 0, message: odd }, 'tools/list'));
});
