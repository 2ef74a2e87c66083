// Which apps are connected, and how long ago the others were.

import type { Facts } from '../facts.js';
import { type Line, pass } from '../line.js';

export function checkApps({
  daemon,
  seenApps,
  now,
}: Pick<Facts, 'daemon' | 'seenApps' | 'now'>): readonly Line[] {
  const groups = daemon.groups ?? [];
  const there = new Map(groups.map(({ group, connected }) => [group, connected]));
  const lines = [...there].map(([group, connected]) =>
    pass('apps', connected ? `${group}: connected` : `${group}: away, expected back`),
  );
  const gone = seenApps.filter(({ group }) => !there.has(group));
  for (const { group, last_seen } of [...gone].sort((a, b) => (a.last_seen < b.last_seen ? 1 : -1))) {
    lines.push(pass('apps', `${group}: last seen ${ago(now - Date.parse(last_seen))}`));
  }
  return lines.length > 0 ? lines : [pass('apps', 'none has offered a tool yet (leo app run FILE.yaml)')];
}

/** A time that has passed, in its largest unit. */
export function ago(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ];
  const [size, unit] = units.find(([one]) => ms >= one) ?? [0, ''];
  if (size === 0) return 'within the last minute';
  const whole = Math.floor(ms / size);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}
