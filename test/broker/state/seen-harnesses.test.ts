import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SeenHarnesses } from '../../../lib/broker/state/seen-harnesses.js';
import { temporaryHome } from '../../support/daemon.js';

const start = Date.parse('2026-12-01T00:00:00.000Z');
const hour = 3_600_000;
const kilo = { name: 'kilo', version: '7.7.9' };

function remembering(t: Test, text?: string) {
  const path = join(temporaryHome(t), 'harnesses.json');
  if (text !== undefined) writeFileSync(path, text);
  const time = { now: start };
  const logged: string[] = [];
  const open = () =>
    new SeenHarnesses(
      path,
      () => time.now,
      (line) => logged.push(line),
    );
  return { path, time, logged, open, seen: open() };
}

t.test('what was seen last counts, for that name and version alone, over a restart too', async (t) => {
  const { seen, open, time, path } = remembering(t);
  t.equal(seen.relists(kilo), undefined);
  seen.see(kilo, true);
  t.equal(seen.relists(kilo), true);
  time.now += 1;
  seen.see(kilo, false);
  for (const one of [seen, open()]) {
    t.equal(one.relists(kilo), false);
    t.equal(one.relists({ ...kilo, version: '7.8.0' }), undefined);
    t.equal(one.relists({ ...kilo, name: 'Kilo' }), undefined);
    t.equal(one.relists(null), undefined);
    t.strictSame(one.list, [
      { ...kilo, relisted_at: '2026-12-01T00:00:00.000Z', missed_at: '2026-12-01T00:00:00.001Z' },
    ]);
  }
  t.equal(statSync(path).mode & 0o777, 0o600);
  time.now += 1;
  seen.see(kilo, true);
  t.equal(open().relists(kilo), true);
});

t.test('the same again is written once an hour', async (t) => {
  const { seen, time, path } = remembering(t);
  seen.see(kilo, true);
  const written = readFileSync(path, 'utf8');
  time.now += hour - 1;
  seen.see(kilo, true);
  t.equal(readFileSync(path, 'utf8'), written);
  time.now += 1;
  seen.see(kilo, true);
  t.match(seen.list, [{ relisted_at: '2026-12-01T01:00:00.000Z' }]);
});

t.test('a file that cannot be used remembers nothing', async (t) => {
  for (const text of ['', '{', '[]', '{"harnesses":7}', '{"harnesses":[{"name":"kilo"},null]}'])
    t.strictSame(remembering(t, text).seen.list, [], text);
});

t.test('a file that cannot be written is told of, and what was seen counts all the same', async (t) => {
  const path = join(temporaryHome(t), 'none', 'harnesses.json');
  const logged: string[] = [];
  const seen = new SeenHarnesses(
    path,
    () => start,
    (line) => logged.push(line),
  );
  seen.see(kilo, false);
  t.equal(seen.relists(kilo), false);
  t.match(logged, [/^warning: .*harnesses\.json is not written: /]);
});

t.test('made-up names push out what was seen longest ago', async (t) => {
  const { seen, time } = remembering(t);
  for (let n = 0; n < 300; n++) {
    time.now += 1;
    seen.see({ name: `made-up-${n}`, version: '' }, true);
  }
  t.equal(seen.list.length, 256);
  t.equal(seen.relists({ name: 'made-up-43', version: '' }), undefined);
  t.equal(seen.relists({ name: 'made-up-44', version: '' }), true);
});
