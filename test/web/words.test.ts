import t from 'tap';
import { backoffMs, restMs } from '../../web/link/backoff.js';
import { age, lineWords, title } from '../../web/model/words.js';

t.test('ages are told in two units at most', (t) => {
  const rows: readonly (readonly [seconds: number, words: string])[] = [
    [-5, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [95, '1 min 35 s'],
    [1200, '20 min'],
    [3600, '1 h'],
    [7500, '2 h 5 min'],
    [90_000, '1 d 1 h'],
    [172_800, '2 d'],
  ];
  for (const [seconds, words] of rows) t.equal(age(seconds * 1000), words);
  t.end();
});

t.test('the title counts the questions', (t) => {
  t.equal(title(0), 'Leo');
  t.equal(title(2), '(2) Leo');
  t.end();
});

t.test('events are told in words', (t) => {
  const settled = { type: 'settled', id: 'r_123456789', outcome: 'ok' } as const;
  t.equal(lineWords({ event: settled }), 'call …456789 is done: ok');
  t.equal(
    lineWords({ event: settled, call: { agent: 'rocket', tool: 'take_photo' } }),
    'take_photo for rocket is done: ok',
  );
  t.equal(lineWords({ event: { type: 'tools', revision: 1, names: ['a'] } }), 'apps offer 1 tool now');
  t.equal(
    lineWords({ event: { type: 'message', name: 'a', from: 'b', submitted: 'unconfirmed' } }),
    'message from b to a: not confirmed',
  );
  t.end();
});

t.test('a daemon that does not answer is asked ever later, and never later than 8 s', (t) => {
  t.equal(backoffMs(1, 0), 250);
  t.equal(backoffMs(3, 0), 1000);
  t.equal(backoffMs(100, 0), 8000);
  t.equal(backoffMs(100, 1), 4000);
  t.end();
});

t.test('a daemon that was slow is asked less often, but never left alone for long', (t) => {
  for (const [took, rest] of [
    [0, 300],
    [30, 300],
    [100, 1000],
    [1500, 2000],
    [20_000, 2000],
  ] as const)
    t.equal(restMs(took), rest, `${took} ms`);
  t.end();
});
