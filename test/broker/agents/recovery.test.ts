import t from 'tap';
import { fateOf, panesIn, type Seen } from '../../../lib/broker/agents/recovery.js';

const listing = [
  '%0,100,1700,$0,0,,,rocket',
  '%1,101,1700,$1,1,3,,a,b',
  '%2,102,1700,$2,1,,9,killed',
  '%3,103,1700,$3,0,,,left',
  'no pane at all',
  '',
].join('\n');

t.test('what tmux lists', async (t) => {
  t.strictSame(
    panesIn(listing).map(({ paneId, session, exit }) => [paneId, session, exit]),
    [
      ['%0', 'rocket', undefined],
      ['%1', 'a,b', { code: 3, signal: null }],
      ['%2', 'killed', { code: null, signal: 9 }],
      ['%3', 'left', undefined],
    ],
  );
});

t.test('what has become of an agent', async (t) => {
  const panes: Seen = { kind: 'panes', panes: panesIn(listing) };
  const gone: Seen = { kind: 'gone' };
  const rows: readonly (readonly [
    paneId: string,
    pid: number,
    serverStart: number,
    seen: Seen,
    expected: object,
  ])[] = [
    ['%0', 100, 1700, panes, { kind: 'lives' }],
    ['%1', 101, 1700, panes, { kind: 'ended', exit: { code: 3, signal: null } }],
    ['%2', 102, 1700, panes, { kind: 'ended', exit: { code: null, signal: 9 } }],
    // Something that it has started keeps its terminal open.
    ['%3', 103, 1700, panes, { kind: 'ended', exit: { code: null, signal: null } }],
    ['%9', 109, 1700, panes, { kind: 'lost', detail: 'its pane was closed' }],
    // Another process in the pane of the same id: it was started anew by hand.
    ['%0', 99, 1700, panes, { kind: 'lost', detail: 'its pane was closed' }],
    ['%0', 100, 1600, panes, { kind: 'lost', detail: 'the tmux server is gone; another one runs now' }],
    ['%0', 100, 1700, gone, { kind: 'lost', detail: 'the tmux server is gone' }],
  ];
  for (const [paneId, pid, serverStart, seen, expected] of rows) {
    const fate = fateOf({ paneId, pid, serverStart }, seen, (one) => one !== 103);
    t.strictSame(fate, expected, `${paneId} ${pid} ${serverStart} ${seen.kind}`);
  }
});
