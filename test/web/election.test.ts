import t from 'tap';
import {
  answerWithinMs,
  askEveryMs,
  type ElectionEvent,
  elect,
  startElection,
} from '../../web/tabs/election.js';

/** What is done for each of some events. */
function deeds(...events: readonly ElectionEvent[]): readonly (string | undefined)[] {
  let election = startElection(0);
  return events.map((event) => {
    const next = elect(election, event);
    election = next.election;
    return next.deed;
  });
}

const tick = (at: number, visible = true): ElectionEvent => ({ is: 'tick', at, visible });
const granted: ElectionEvent = { is: 'granted' };
const asked = askEveryMs;
const late = askEveryMs + answerWithinMs;

const rows: readonly (readonly [
  what: string,
  events: readonly ElectionEvent[],
  deeds: readonly (string | undefined)[],
])[] = [
  ['who gets the lock leads', [granted], ['lead']],
  ['who leads asks nobody', [granted, tick(late), tick(10 * late)], ['lead', undefined, undefined]],
  ['a tab that was just opened waits', [tick(asked - 1)], [undefined]],
  ['a leader that is silent is asked', [tick(asked)], ['ask']],
  ['a leader that does not answer loses the lock', [tick(asked), tick(late)], ['ask', 'rob']],
  ['it is given time', [tick(asked), tick(late - 1)], ['ask', undefined]],
  [
    'a leader that answers keeps it',
    [tick(asked), { is: 'heard', at: asked + 1 }, tick(late)],
    ['ask', undefined, undefined],
  ],
  ['a tab that nobody looks at robs nobody', [tick(asked, false), tick(late, false)], [undefined, undefined]],
  [
    'a tab that was put away while it waited asks again',
    [tick(asked), tick(asked + 1, false), tick(late), tick(2 * late)],
    ['ask', undefined, 'ask', 'rob'],
  ],
  ['who was robbed follows', [granted, { is: 'robbed', at: 5 }, tick(6)], ['lead', 'follow', undefined]],
  ['and may lead again', [granted, { is: 'robbed', at: 5 }, granted], ['lead', 'follow', 'lead']],
  ['a request for the lock that fails changes nothing', [{ is: 'robbed', at: 1 }], [undefined]],
];

t.test('which tab holds the stream', (t) => {
  for (const [what, events, expected] of rows) t.same(deeds(...events), expected, what);
  t.end();
});
