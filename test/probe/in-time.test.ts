import { getEventListeners } from 'node:events';
import t from 'tap';
import { inTime } from '../../lib/probe/in-time.js';

const never = new Promise<never>(() => undefined);
const late = () => 'too late';

t.test('what a promise brings is brought, and nothing is left', async (t) => {
  const { signal } = new AbortController();
  t.equal(await inTime(Promise.resolve(7), { limitMs: 60_000, signal, late }), 7);
  await t.rejects(inTime(Promise.reject(new Error('no')), { limitMs: 60_000, signal, late }), {
    message: 'no',
  });
  t.strictSame(getEventListeners(signal, 'abort'), []);
});

t.test('the end of the time is said in words', async (t) => {
  await t.rejects(inTime(never, { limitMs: 1, late }), { name: 'ProbeError', message: 'too late' });
});

t.test('a signal ends the wait, also one that came before', async (t) => {
  const stop = new AbortController();
  const waiting = inTime(never, { limitMs: 60_000, signal: stop.signal, late });
  stop.abort();
  await t.rejects(waiting, { name: 'ProbeError', message: 'stopped' });
  await t.rejects(inTime(never, { limitMs: 60_000, signal: stop.signal, late }), { message: 'stopped' });
});

t.test('a promise that fails after its time harms nobody', async (t) => {
  let refuse: (error: Error) => void = () => undefined;
  const failing = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  await t.rejects(inTime(failing, { limitMs: 1, late }), { message: 'too late' });
  refuse(new Error('after all'));
});
