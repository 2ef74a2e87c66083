import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SeenApps } from '../../../lib/broker/state/seen-apps.js';
import { readSeenApps } from '../../../lib/config/seen-apps.js';

function place(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'leo-seen-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'apps.json');
}

const noLog = (line: string) => {
  throw new Error(line);
};
const times = (path: string) =>
  Object.fromEntries(readSeenApps(path).map(({ group, last_seen }) => [group, Date.parse(last_seen)]));

t.test('a group is seen when it comes, when it goes, and when the daemon ends', (t) => {
  const path = place(t);
  let now = 1_000_000;
  const seen = new SeenApps(path, () => now, noLog);
  seen.see(['desk']);
  t.same(times(path), { desk: 1_000_000 });
  now += 100_000;
  seen.see(['desk', 'desk', 'bell']);
  t.same(times(path), { bell: 1_100_000, desk: 1_000_000 }, 'one that stays is not written again');
  now += 100_000;
  seen.see(['bell']);
  t.same(times(path), { bell: 1_100_000, desk: 1_200_000 });
  now += 100_000;
  seen.close();
  t.same(times(path), { bell: 1_300_000, desk: 1_200_000 });

  const again = new SeenApps(path, () => now, noLog);
  again.see(['new']);
  t.same(times(path), { bell: 1_300_000, desk: 1_200_000, new: 1_300_000 }, 'a restart keeps them');
  t.end();
});

t.test('within a minute a group is written once', (t) => {
  const path = place(t);
  let now = 1_000_000;
  const seen = new SeenApps(path, () => now, noLog);
  seen.see(['desk']);
  writeFileSync(path, 'untouched');
  for (let turn = 0; turn < 50; turn++) {
    now += 1000;
    seen.see(turn % 2 === 0 ? [] : ['desk']);
  }
  t.equal(readFileSync(path, 'utf8'), 'untouched');
  now += 60_000;
  seen.see([]);
  t.same(times(path), { desk: 1_110_000 });
  t.end();
});

t.test('no more than 256 groups are kept, those that were seen last', (t) => {
  const path = place(t);
  let now = 1_000_000;
  const seen = new SeenApps(path, () => now, noLog);
  seen.see(['oldest']);
  now += 1;
  seen.see(Array.from({ length: 300 }, (_, index) => `g${index}`));
  t.equal(readSeenApps(path).length, 256);
  t.notOk('oldest' in times(path));
  t.end();
});

t.test('a file that cannot be read or written costs no more than a line in the log', (t) => {
  const path = place(t);
  const lines: string[] = [];
  for (const text of ['{', '{"apps": 1}', '{"apps": [{"group": "a", "last_seen": "?"}, 1]}']) {
    writeFileSync(path, text);
    t.same(readSeenApps(path), [], text);
  }
  const seen = new SeenApps(
    join(path, 'below-a-file'),
    () => 0,
    (line) => lines.push(line),
  );
  seen.see(['desk']);
  t.same(lines, [], 'at once nothing is due at time 0');
  const late = new SeenApps(
    join(path, 'below-a-file'),
    () => 1_000_000,
    (line) => lines.push(line),
  );
  late.see(['desk']);
  t.match(lines, [/apps\.json\/below-a-file is not written/]);
  t.end();
});
