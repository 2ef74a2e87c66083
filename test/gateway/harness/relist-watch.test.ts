// What is learnt of a harness from what it does after list_changed (design 8).

import t from 'tap';
import { relistMs } from '../../../lib/gateway/harness/relist-watch.js';
import { RelistWatcher } from '../../../lib/gateway/harness/relist-watcher.js';
import { ManualClock } from '../../support/manual-clock.js';

type Step =
  | 'told'
  | 'told, listening'
  | 'list'
  | 'call'
  | 'ping'
  | 'wait'
  | 'answered'
  | 'end'
  | 'no link'
  | 'link'
  | number;

/** Plays what happens; gives what the broker was told. */
function play(steps: readonly Step[]): boolean[] {
  const clock = new ManualClock();
  const sightings: boolean[] = [];
  let waits = false;
  let linked = true;
  const watcher = new RelistWatcher({
    clock,
    waits: () => waits,
    tell: (relists) => {
      if (linked) sightings.push(relists);
      return linked;
    },
  });
  for (const step of steps) {
    if (typeof step === 'number') clock.advance(step);
    else if (step === 'told') watcher.told({ inItsOwnTime: false });
    else if (step === 'told, listening') watcher.told({ inItsOwnTime: true });
    else if (step === 'list') watcher.requested('tools/list');
    else if (step === 'call') watcher.requested('tools/call');
    else if (step === 'ping') watcher.requested('ping');
    else if (step === 'wait') waits = true;
    else if (step === 'answered') waits = false;
    else if (step === 'end') watcher.stop();
    else {
      linked = step === 'link';
      if (linked) watcher.tell();
    }
  }
  return sightings;
}

const long = relistMs;
const rows: readonly [what: string, steps: readonly Step[], told: readonly boolean[]][] = [
  ['a list right after the notification', ['told', 30, 'list', long], [true]],
  ['a list after other requests', ['told', 'call', 5000, 'call', 'list', long], [true]],
  ['a request and no list', ['told', 10, 'call', long], [false]],
  ['an idle session that pings', ['told', 10, 'ping', long, 'ping', long], []],
  ['a ping, a request and no list', ['told', 'ping', 10, 'call', long], [false]],
  ['a request that came late and no list', ['told', 9999, 'call', 1], [false]],
  ['an idle session', ['told', long, long], []],
  ['a request after the 10 s alone', ['told', long, 'call', long], []],
  ['a list that comes before any change', ['list', 'call', long], []],
  ['a session without a change', ['call', long, 'call'], []],
  ['a client that ends meanwhile', ['told', 'call', 9000, 'end', long], []],
  ['another change does not put it off', ['told', 'call', 9000, 'told', 1000], [false]],
  ['a list after the second of two changes', ['told', 'call', 9000, 'told', 'list', long], [true]],
  ['a request while a call is waited for', ['wait', 'told', 'call', 'answered', long], []],
  ['a call that is waited for at the end', ['told', 'call', 'wait', long, 'answered', long], []],
  ['a call that was answered in between', ['wait', 'told', 'answered', 'call', long], [false]],
  ['one that listens and does not list', ['told, listening', 'call', long, 'call', long], []],
  ['one that listens and lists late', ['told, listening', 'call', long, 'list'], [true]],
  ['twice the same', ['told', 'list', 'told', 'list', 'told', 'list', long], [true]],
  [
    'first a list, then none, then one',
    ['told', 'list', 'told', 'call', long, 'told', 'list'],
    [true, false, true],
  ],
  ['what could not be told at once', ['no link', 'told', 'call', long, 'link', long, 'link'], [false]],
];
for (const [what, steps, told] of rows) {
  t.test(`${what} shows ${JSON.stringify(told)}`, async (t) => t.strictSame(play(steps), told));
}

t.test('a judgement that was held up shows nothing', async (t) => {
  let run = () => {};
  let now = 0;
  const sightings: boolean[] = [];
  const watcher = new RelistWatcher({
    clock: {
      now: () => now,
      after: (_ms, later) => {
        run = later;
        return () => {};
      },
    },
    waits: () => false,
    tell: (relists) => sightings.push(relists) > 0,
  });
  watcher.told({ inItsOwnTime: false });
  watcher.requested('tools/call');
  now = relistMs + 60_000; // the machine slept
  run();
  t.strictSame(sightings, []);
});
