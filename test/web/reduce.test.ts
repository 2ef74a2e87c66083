import fc from 'fast-check';
import t from 'tap';
import { gone } from '../../web/console/notices.js';
import {
  decodeAgents,
  decodeCalls,
  decodeEvent,
  decodeGroups,
  decodeHello,
  decodeOwnRequests,
} from '../../web/model/decode.js';
import {
  type ConsoleEvent,
  emptyState,
  type OpenCall,
  type Question,
  type State,
} from '../../web/model/facts.js';
import { type Action, isStale, logLength, mostCalls, mostShown, reduce } from '../../web/model/reduce.js';

const call = (id: string, change: Partial<OpenCall> = {}): OpenCall => ({
  id,
  agent: 'rocket',
  group: 'g',
  tool: 'take_photo',
  state: 'parked',
  claimedBy: undefined,
  since: 100,
  deadline: undefined,
  ...change,
});
const question = (id: string, epoch = 'e1', since = 5): Question => ({
  id,
  agent: 'rocket',
  question: 'Ship?',
  choices: [],
  since,
  epoch,
});
const events = (...events: readonly ConsoleEvent[]): Action => ({ type: 'events', at: 1, events });
const request = (id: string, change: Partial<OpenCall> = {}): ConsoleEvent => ({
  type: 'request',
  call: call(id, change),
});
const settled = (id: string): ConsoleEvent => ({ type: 'settled', id, outcome: 'ok' });
const asked = (id: string, epoch?: string, since?: number): Action => ({
  type: 'asked',
  question: question(id, epoch, since),
});
const hello: Action = {
  type: 'hello',
  at: 1,
  link: { is: 'live', epoch: 'e1', version: '1', clientId: 'c_1' },
};
const after = (...actions: readonly Action[]): State => actions.reduce(reduce, emptyState);

/** What is open, in short. */
const seen = ({ calls, questions }: State): readonly string[] => [
  ...[...calls.values()].map(({ id, state }) => `${id} ${state}`),
  ...questions.map(({ id }) => `${id} asked`),
];

const rows: readonly (readonly [what: string, actions: readonly Action[], seen: readonly string[]])[] = [
  ['a call is there', [events(request('a'))], ['a parked']],
  ['a call is taken', [events(request('a'), { type: 'claimed', id: 'a', clientId: 'c' })], ['a claimed']],
  ['a call is done', [events(request('a')), events(settled('a'))], []],
  ['a call comes and goes in one batch', [events(request('a'), settled('a'))], []],
  ['a call that nobody knows ends', [events(settled('a'))], []],
  [
    'a claimant leaves: the call is published again',
    [events(request('a', { state: 'claimed' }), request('a'))],
    ['a parked'],
  ],
  [
    'the list of the daemon counts',
    [events(request('a')), { type: 'calls', asOf: 0, calls: [call('b')] }],
    ['b parked'],
  ],
  ['questions queue', [asked('a'), asked('b')], ['a asked', 'b asked']],
  ['a question that comes twice is one', [asked('a'), asked('b'), asked('a', 'e2')], ['a asked', 'b asked']],
  [
    'a question that was claimed late stands where it was asked',
    [asked('b', 'e1', 7), asked('a', 'e1', 6)],
    ['a asked', 'b asked'],
  ],
  [
    'a question that a restarted daemon has again keeps its place',
    [asked('a', 'e1', 6), asked('b', 'e1', 7), asked('a', 'e2', 9)],
    ['a asked', 'b asked'],
  ],
  ['an answered question goes', [asked('a'), asked('b'), { type: 'answered', id: 'a' }], ['b asked']],
  [
    'a cancelled question goes',
    [asked('a'), events({ type: 'cancelled', id: 'a', reason: 'cancelled' })],
    [],
  ],
  ['a question outlives a lost connection', [hello, asked('a'), { type: 'lost', at: 2 }, hello], ['a asked']],
  [
    'a daemon that does not have it back ends it',
    [asked('a', 'e0'), asked('b'), { type: 'prune', open: ['b', 'c'] }],
    ['b asked'],
  ],
  ['who stops answering has no questions', [asked('a'), { type: 'offering', offering: { is: 'off' } }], []],
  [
    'who starts again keeps them',
    [asked('a'), { type: 'offering', offering: { is: 'starting' } }],
    ['a asked'],
  ],
  [
    'who comes back after another took over keeps its own',
    [asked('a'), { type: 'offering', offering: { is: 'refused', why: 'taken' } }],
    ['a asked'],
  ],
];

t.test('what is open', (t) => {
  for (const [what, actions, expected] of rows) t.same(seen(after(...actions)), expected, what);
  t.end();
});

t.test('a call has waited since it was first seen', (t) => {
  const state = after(events(request('a', { since: 5 })), {
    type: 'calls',
    asOf: 0,
    calls: [call('a', { since: 50 })],
  });
  t.equal(state.calls.get('a')?.since, 5);
  t.equal(reduce(state, events(request('a', { since: 70 }))).calls.get('a')?.since, 5);
  t.end();
});

t.test('what was this browser’s still is while the daemon is away', (t) => {
  t.match(after(hello, { type: 'lost', at: 2 }, { type: 'lost', at: 3 }).link, {
    is: 'lost',
    since: 2,
    clientId: 'c_1',
  });
  t.equal(after({ type: 'lost', at: 2 }).link.is, 'lost');
  t.end();
});

t.test('a watcher asks what a call is, and what it was told before stays', (t) => {
  const state = after(events(request('a')), events(request('a', { agent: '', tool: '' })));
  t.ok(isStale(state, 'calls'));
  t.equal(state.calls.get('a')?.tool, 'take_photo');
  t.end();
});

t.test('facts are stale until the daemon has answered what was asked after the last event', (t) => {
  const started: ConsoleEvent = { type: 'started', name: 'a', harness: undefined, mode: undefined };
  let state = after(hello);
  t.ok(isStale(state, 'agents') && isStale(state, 'groups') && isStale(state, 'calls'));
  const asOf = state.wanted.agents;
  state = reduce(state, events(started));
  state = reduce(state, { type: 'agents', asOf, agents: [] });
  t.ok(isStale(state, 'agents'), 'the answer is older than the event');
  state = reduce(state, { type: 'agents', asOf: state.wanted.agents, agents: [] });
  t.notOk(isStale(state, 'agents'));
  t.ok(isStale(reduce(state, events({ type: 'stopped', name: 'a', harness: undefined })), 'agents'));
  t.end();
});

t.test('nothing grows without bound, whatever comes', (t) => {
  const id = fc.integer({ min: 0, max: 30 }).map(String);
  const event = fc.oneof(
    id.map((id) => request(id)),
    id.map(settled),
    id.map((id): ConsoleEvent => ({ type: 'claimed', id, clientId: 'c' })),
    fc.constant<ConsoleEvent>({ type: 'tools', revision: 1, names: [] }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(event, { maxLength: 200 }), { maxLength: 10 }), (batches) => {
      const state = after(...batches.map((batch) => events(...batch)));
      const all = batches.flat();
      t.ok(state.log.length <= logLength);
      t.equal(state.log.at(-1)?.n ?? 0, all.length, 'the lines are counted');
      const open = new Set<string>();
      for (const each of all) {
        if (each.type === 'request') open.add(each.call.id);
        if (each.type === 'settled') open.delete(each.id);
      }
      t.same(new Set(state.calls.keys()), open, 'a batch is as good as its events');
    }),
    { numRuns: 50 },
  );
  const many = after(events(...Array.from({ length: mostCalls + 50 }, (_, index) => request(String(index)))));
  t.equal(many.calls.size, mostCalls);
  const shown = Array.from(
    { length: mostShown + 5 },
    (_, index): Action => ({
      type: 'shown',
      shown: { id: String(index), agent: 'a', at: 1, title: undefined, markdown: 'a', image: undefined },
    }),
  );
  t.equal(after(...shown).shown.length, mostShown);
  t.equal(after(...shown.slice(0, 2), ...shown.slice(0, 2)).shown.length, 2, 'once each');
  t.end();
});

t.test('who has not answered a question is told where it went', (t) => {
  const before = [question('a'), question('b')];
  const told = (action: Action, here: readonly string[] = []) =>
    gone(before, [question('b')], action, new Set(here));
  t.match(told({ type: 'answered', id: 'a' }), [/answered in another tab/]);
  t.match(told(events(settled('a'))), [/answered in another tab/]);
  t.match(told(events({ type: 'cancelled', id: 'a', reason: 'cancelled' })), [/does not wait/]);
  t.same(told(events(settled('a')), ['a']), [], 'not to who answered it');
  t.end();
});

t.test('what the daemon says is taken as far as it can be read', (t) => {
  const wire = {
    id: 'r_1',
    agent: 'a',
    group: 'g',
    tool: 't',
    arguments: { secret: 1 },
    created_at: '1970-01-01T00:00:01.000Z',
  };
  t.match(decodeEvent('client_tool.request', wire, 9), {
    type: 'request',
    call: { since: 1000, agent: 'a' },
  });
  t.notMatch(
    JSON.stringify(decodeEvent('client_tool.request', wire, 9)),
    /secret/,
    'arguments are left behind',
  );
  t.match(decodeEvent('client_tool.request', { id: 'r_1' }, 9), { call: { agent: '', since: 9 } });
  t.match(decodeEvent('something.new', {}, 9), { type: 'other', name: 'something.new' });
  t.equal(decodeEvent('agent.started', 'x', 9), undefined);
  t.same(decodeCalls({ requests: [1, { id: 2 }, {}] }, 9), []);
  t.equal(decodeHello({}), undefined);
  const own = { ...wire, claimed_by: 'c_1' };
  const open = { requests: [own, wire, { ...own, claimed_by: 'c_2' }, { ...own, group: 'other' }] };
  t.same(
    decodeOwnRequests(open, 'g', 'c_1').map(({ claimed }) => claimed),
    [true, false],
  );
  t.match(decodeHello({ epoch: 'e', client_id: 'c_1', requests: [own, wire, {}] })?.requests, [
    { id: 'r_1', claimed: true },
    { claimed: false },
  ]);
  t.end();
});

t.test('a daemon of another version breaks nothing: what it leaves out is not there', (t) => {
  const agent = {
    name: 'a',
    kind: 'attached',
    harness: null,
    mode: null,
    started_at: '1970-01-01T00:00:01.000Z',
  };
  const rows: readonly (readonly [change: object, seen: object | undefined])[] = [
    [{}, { name: 'a', kind: 'attached', harness: undefined, mode: undefined, since: 1000 }],
    [
      { harness: { name: 'codex', version: '1.0' }, mode: 'native' },
      { harness: 'codex 1.0', mode: 'native' },
    ],
    [{ harness: { name: 'codex' } }, { harness: 'codex' }],
    [
      { harness: undefined, mode: 'telepathic', kind: 'remote' },
      { harness: undefined, mode: undefined },
    ],
    [{ started_at: undefined }, { since: 9 }],
    [{ started_at: 'now' }, { since: 9 }],
    [{ supervised: { harness: 'opencode' } }, { supervised: { harness: 'opencode', state: '?' } }],
    [{ name: 7 }, undefined],
  ];
  for (const [change, seen] of rows) {
    const read = decodeAgents({ agents: [{ ...agent, ...change }] }, 9);
    if (seen === undefined) t.same(read, [], JSON.stringify(change));
    else t.match(read, [seen], JSON.stringify(change));
  }
  const tool = { name: 't', description: 'd', input_schema: { type: 'object' }, timeout_s: 0 };
  const group = {
    group: 'g',
    client_id: 'c',
    connected: false,
    tools: [tool, 7, { name: 'u', description: 7 }],
  };
  t.same(decodeGroups({ groups: [group, { group: 'h' }, { ...group, tools: 7 }] }), [
    { ...group, tools: [tool, { name: 'u', input_schema: {}, timeout_s: 120 }] },
    { ...group, tools: [] },
  ]);
  t.end();
});
