import t from 'tap';
import { fateOf, panesIn, type Seen } from '../../../../lib/broker/agents/panes/recovery.js';

const listing = [
  '%0,100,1700,77,$0,0,,,rocket',
  '%1,101,1700,77,$1,1,3,,a,b',
  '%2,102,1700,77,$2,1,,9,killed',
  '%3,103,1700,77,$3,0,,,left',
  '%4,104,1700,77,$4,0,5,,leaves a child',
  '%5,105,1700,77,$5,1,,,closes first',
  '%6,106,1700,77,$6,1,,,before tmux 3.3',
  'no pane at all',
  '',
].join('\n');

t.test('what tmux lists', async (t) => {
  t.strictSame(
    panesIn(listing).map(({ paneId, session, dead, exit }) => [paneId, session, dead, exit]),
    [
      ['%0', 'rocket', false, undefined],
      ['%1', 'a,b', true, { code: 3, signal: null }],
      ['%2', 'killed', true, { code: null, signal: 9 }],
      ['%3', 'left', false, undefined],
      ['%4', 'leaves a child', false, { code: 5, signal: null }],
      ['%5', 'closes first', true, undefined],
      ['%6', 'before tmux 3.3', true, undefined],
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
    // As before, and tmux has reaped it.
    ['%4', 104, 1700, panes, { kind: 'ended', exit: { code: 5, signal: null } }],
    // Its terminal is closed, and its process is about to end: with which code is not known yet.
    ['%5', 105, 1700, panes, { kind: 'lives' }],
    // Older ones do not tell of signals.
    ['%6', 106, 1700, panes, { kind: 'ended', exit: { code: null, signal: null } }],
    // Another process in the pane of the same id: it was started anew by hand.
    ['%0', 99, 1700, panes, { kind: 'lost', detail: 'its pane was closed' }],
    ['%0', 100, 1600, panes, { kind: 'lost', detail: 'the tmux server is gone; another one runs now' }],
    ['%0', 100, 1700, gone, { kind: 'lost', detail: 'the tmux server is gone' }],
  ];
  for (const [paneId, pid, serverStart, seen, expected] of rows) {
    const fate = fateOf({ paneId, pid, serverStart }, seen, (one) => one < 103 || one === 105);
    t.strictSame(fate, expected, `${paneId} ${pid} ${serverStart} ${seen.kind}`);
  }
});
