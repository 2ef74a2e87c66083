import t from 'tap';
import { HeldCalls, minRemainingMs } from '../../../lib/gateway/calls/held-calls.js';
import { requestId } from '../../../lib/wire/ids.js';
import { catalogueTool } from '../../support/catalogue.js';

const id = requestId('r_00000001');
const done = { ok: false, code: 'done', message: 'm' } as const;
const holding = (tool = catalogueTool('snap')) => {
  const held = new HeldCalls();
  held.open(id, tool, { a: 1 }, 1000);
  return held;
};

t.test('a call is sent plainly at first, and resumed on every later link', async (t) => {
  const held = holding();
  t.strictSame(held.toSend(id, 2000), { tool: 'snap', arguments: { a: 1 } });
  held.sent(id);
  held.claimed(id, 'c_app');
  t.strictSame(held.toSend(id, 2000), {
    tool: 'snap',
    arguments: { a: 1 },
    resume: {
      provider: 'c_demo0001',
      keyed: true,
      group: 'demo',
      claimed_by: 'c_app',
      remaining_ms: 119_000,
      age_ms: 1000,
    },
  });
  held.unclaimed(id);
  t.match(held.toSend(id, 2000), { resume: { claimed_by: null } });
  t.match(held.toSend(id, 1e9), { resume: { remaining_ms: minRemainingMs } });
});

t.test('a handoff has no time to run out', async (t) => {
  const held = holding(catalogueTool('ask', { timeoutS: 0 }));
  held.sent(id);
  t.match(held.toSend(id, 1e9), { resume: { remaining_ms: null } });
});

t.test('an outcome that is awaited is given and gone', async (t) => {
  const held = holding();
  t.strictSame(held.take(id), { kind: 'open', tool: 'snap' });
  t.equal(held.settle(id, done, true), true);
  t.strictSame(held.take(id), { kind: 'unknown' });
  t.equal(held.settle(id, done, true), false, 'a second outcome is none');
});

t.test('an outcome that nobody awaits is kept, and given once', async (t) => {
  const held = holding();
  held.settle(id, done, false);
  t.strictSame(held.take(id), { kind: 'kept', outcome: done });
  t.strictSame(held.take(id), { kind: 'unknown' });
});

t.test('a cancelled call is gone', async (t) => {
  const held = holding();
  t.equal(held.cancel(id), true);
  t.equal(held.cancel(id), false);
  t.equal(held.settle(id, done, false), false);
  t.equal(held.toSend(id, 0), undefined);
  t.strictSame(held.take(id), { kind: 'unknown' });
  t.strictSame(held.ids(), []);
});

t.test('an outcome that nobody waits for is kept, however many there are', async (t) => {
  const held = new HeldCalls();
  const ids = Array.from({ length: 1000 }, (_, n) => requestId(`r_${n}`));
  for (const one of ids) {
    held.open(one, catalogueTool('snap'), {}, 0);
    held.settle(one, done, false);
  }
  t.ok(ids.every((one) => held.take(one).kind === 'kept'));
  t.ok(ids.every((one) => held.take(one).kind === 'unknown'));
});
