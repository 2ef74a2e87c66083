import t from 'tap';
import {
  cooldownMs,
  type Outage,
  restartGraceMs,
  shouldStartDaemon,
} from '../../../lib/gateway/link/autostart.js';

const fresh: Outage = { failure: 'absent', lostAt: undefined, startedAt: undefined };
const now = 1_000_000;
const rows: readonly [what: string, outage: Outage, start: boolean][] = [
  ['no daemon was ever there', fresh, true],
  ['a socket that nobody listens on', { ...fresh, failure: 'refused' }, true],
  ['a stopped daemon, which still owns its socket', { ...fresh, failure: 'failed' }, false],
  ['a daemon of another version', { ...fresh, failure: 'protocol' }, false],
  ['a link', { ...fresh, failure: undefined }, false],
  [
    'a daemon that went just now, perhaps to come back',
    { ...fresh, lostAt: now - restartGraceMs + 1 },
    false,
  ],
  ['a daemon that went and stays away', { ...fresh, lostAt: now - restartGraceMs }, true],
  ['a daemon that was started and is not up yet', { ...fresh, startedAt: now - 500 }, false],
  ['a daemon that was started long ago', { ...fresh, startedAt: now - cooldownMs }, true],
];
for (const [what, outage, start] of rows) {
  t.test(`${start ? 'starts' : 'does not start'} a daemon for ${what}`, async (t) =>
    t.equal(shouldStartDaemon(outage, now), start),
  );
}
