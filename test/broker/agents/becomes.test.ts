import t from 'tap';
import { becomes } from '../../../lib/broker/agents/becomes.js';
import { panesIn, type Seen } from '../../../lib/broker/agents/panes/recovery.js';
import type { AgentLife, AgentRecord } from '../../../lib/broker/agents/records.js';

const panes: Seen = {
  kind: 'panes',
  panes: panesIn(
    ['%0,100,1700,77,$0,0,,,fix', '%1,101,1700,77,$1,1,3,,fix', '%2,102,1700,77,$2,1,0,,fix'].join('\n'),
  ),
};
const gone: Seen = { kind: 'gone' };
const pane = (number: number) => ({ paneId: `%${number}`, pid: 100 + number, serverStart: 1700 });
const now = 100_000;
const runs = (number: number, ranMs = 1000): AgentLife => ({
  state: 'running',
  pane: pane(number),
  since: now - ranMs,
});
const record = (life: AgentLife): AgentRecord => ({
  name: 'fix',
  template: 'fix',
  harness: 'custom',
  cwd: '/',
  startedAt: 5,
  restarts: 0,
  failures: 1,
  life,
});

t.test('what becomes of an agent', async (t) => {
  const rows: readonly (readonly [
    what: string,
    life: AgentLife,
    seen: Seen,
    policy: 'never' | 'on-failure',
    expected: object,
  ])[] = [
    ['one that runs', runs(0), panes, 'never', { kind: 'unchanged' }],
    [
      'one that has failed',
      runs(1),
      panes,
      'never',
      {
        kind: 'over',
        log: 'agent fix: ended with code 3',
        record: { life: { state: 'exited', pane: pane(1), detail: 'ended with code 3' } },
      },
    ],
    [
      'one that has failed quickly for the second time and is started again',
      runs(1),
      panes,
      'on-failure',
      {
        kind: 'over',
        log: 'agent fix: ended with code 3; started again in 2 s',
        record: { failures: 2, life: { state: 'restarting', pane: pane(1), at: now + 2000 } },
      },
    ],
    [
      'one that ends well after long',
      runs(2, 60_000),
      panes,
      'on-failure',
      { kind: 'over', log: 'agent fix: ended with code 0', record: { life: { state: 'exited' } } },
    ],
    [
      'one whose pane is gone is not started again',
      runs(7),
      panes,
      'on-failure',
      {
        kind: 'over',
        log: 'agent fix: its pane was closed',
        record: { life: { state: 'lost', detail: 'its pane was closed' } },
      },
    ],
    [
      'one whose server is gone',
      runs(0),
      gone,
      'on-failure',
      { kind: 'over', record: { life: { state: 'lost', detail: 'the tmux server is gone' } } },
    ],
    [
      'one that the daemon before was just starting',
      { state: 'starting' },
      panes,
      'never',
      { kind: 'known', record: { life: { state: 'running', pane: pane(0), since: 5 } } },
    ],
    [
      'the same, and there is no pane',
      { state: 'starting' },
      gone,
      'never',
      { kind: 'known', record: { life: { state: 'lost', detail: 'the daemon ended while it was started' } } },
    ],
    ['one that has ended', { state: 'lost', detail: 'gone' }, panes, 'never', { kind: 'unchanged' }],
  ];
  for (const [what, life, seen, policy, expected] of rows)
    t.match(becomes(record(life), { seen, wasAlive: () => true, now }, policy), expected, what);
});
