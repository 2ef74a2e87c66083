// What a waiting request is answered with, and when, as each harness waits (design 8).

import t from 'tap';
import { type Answer, type Asker, Caller } from '../../../lib/gateway/calls/caller.js';
import type { CallLimit } from '../../../lib/gateway/calls/soft-deadline.js';
import type { AppProgress } from '../../../lib/gateway/link/messages.js';
import { RawContent } from '../../../lib/gateway/stdio/outbound.js';
import { requestId } from '../../../lib/wire/ids.js';
import { catalogueTool } from '../../support/catalogue.js';
import { ManualClock } from '../../support/manual-clock.js';

const id = requestId('r_one');
const done = { ok: true, content: new RawContent(Buffer.from('[]')) } as const;

/** A call of a harness with such a limit, without a link but with a clock. */
function calling(limit: CallLimit, { token, arrivedAgoMs = 0 }: { token: boolean; arrivedAgoMs?: number }) {
  const clock = new ManualClock();
  const sent: object[] = [];
  const link = {
    send: (message: object) => {
      sent.push(message);
      return true;
    },
  };
  const caller = new Caller({ link, clock, randomId: () => 'one', callLimit: () => limit });
  const progress: AppProgress[] = [];
  const asker = (): Asker => ({
    signal: new AbortController().signal,
    arrivedAt: clock.now() - arrivedAgoMs,
    report: token ? (one) => progress.push(one) : undefined,
  });
  /** Starts to wait; `answer` is undefined for as long as there is none. */
  const waiting = (answer: Promise<Answer>) => {
    const wait: { answer: Answer | undefined } = { answer: undefined };
    void answer.then((it) => {
      wait.answer = it;
    });
    return wait;
  };
  /** Lets time pass, and what follows from it happen. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    sent,
    progress,
    pass,
    call: () => waiting(caller.call(catalogueTool('snap'), {}, asker())),
    wait: () => waiting(caller.wait(id, asker())),
    settle: () => caller.take({ kind: 'outcome', id, outcome: done }),
  };
}
const stillWaiting = { ok: 'waiting', id } as const;
const codex = { ms: 300_000, progressExtends: false };
const opencode = { ms: 60_000, progressExtends: true };

t.test(
  'where progress does not help, a call is answered before the limit, and so is each wait',
  async (t) => {
    const { call, wait, pass, settle, sent } = calling(codex, { token: true });
    const first = call();
    await pass(284_999);
    t.equal(first.answer, undefined);
    await pass(1);
    t.strictSame(first.answer, stillWaiting);
    for (let n = 0; n < 3; n++) {
      const next = wait();
      await pass(284_999);
      t.equal(next.answer, undefined);
      await pass(1);
      t.strictSame(next.answer, stillWaiting);
    }
    const last = wait();
    settle();
    await pass(0);
    t.strictSame(last.answer, done);
    t.match(sent, [{ method: 'call' }], 'the app is asked once');
  },
);

t.test('a result that comes while nobody waits is kept until it is fetched, once', async (t) => {
  const { call, wait, pass, settle } = calling(codex, { token: true });
  call();
  await pass(285_000);
  settle();
  await pass(24 * 3_600_000);
  const fetched = wait();
  await pass(0);
  t.strictSame(fetched.answer, done);
  const again = wait();
  await pass(0);
  t.match(again.answer, { ok: false, code: 'unknown_request' });
});

t.test('where progress extends the limit, a call waits and says so every 15 s', async (t) => {
  const { call, pass, settle, progress } = calling(opencode, { token: true });
  const first = call();
  await pass(660_000);
  t.equal(first.answer, undefined);
  t.equal(progress.length, 44);
  settle();
  await pass(60_000);
  t.strictSame(first.answer, done);
  t.equal(progress.length, 44);
});

t.test('a call without a token cannot be kept alive so, and is answered before the limit', async (t) => {
  const { call, pass } = calling(opencode, { token: false });
  const first = call();
  await pass(45_000);
  t.strictSame(first.answer, stillWaiting);
});

t.test('the clock runs from when the request came, not from when the app was asked', async (t) => {
  const { call, pass } = calling(codex, { token: true, arrivedAgoMs: 13_000 });
  const first = call();
  await pass(272_000);
  t.strictSame(first.answer, stillWaiting);
});

t.test('a harness that never gives up waits', async (t) => {
  const { call, pass, progress } = calling({ ms: undefined, progressExtends: false }, { token: true });
  const first = call();
  await pass(24 * 3_600_000);
  t.equal(first.answer, undefined);
  t.equal(progress.length, 24 * 240);
});
