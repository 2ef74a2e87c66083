// The core under any order of what can happen: properties over random histories, then the rules one by one.

import fc from 'fast-check';
import t from 'tap';
import { BrokerCore } from '../../../lib/broker/core/broker-core.js';
import type { Effect } from '../../../lib/broker/core/effects.js';
import { EventLog } from '../../../lib/broker/events/event-log.js';
import { LeoError } from '../../../lib/wire/errors.js';
import { clientId, requestId, sessionId } from '../../../lib/wire/ids.js';

const graceMs = 30_000;
const canary = 'CANARY-4711';
const apps = ['c_app_a_aaaa', 'c_app_b_bbbb'].map(clientId);
const sessions = ['s_one_11111', 's_two_22222'].map(sessionId);
const ids = ['r_call_0000', 'r_call_1111', 'r_call_2222'].map(requestId);
const tools = ['photo', 'ring', 'note'];
const definition = (name: string, timeout_s: number) => ({
  name,
  input_schema: { type: 'object' },
  timeout_s,
});

type Action =
  | { type: 'connect'; app: number; keyed: boolean }
  | { type: 'disconnect' | 'dismiss'; app: number }
  | { type: 'register'; app: number; tools: readonly number[] }
  | { type: 'withdraw'; app: number }
  | { type: 'open' | 'close'; session: number }
  | { type: 'park'; session: number; id: number; tool: number; resumed: boolean }
  | { type: 'claim' | 'result'; app: number; id: number }
  | { type: 'operator'; id: number }
  | { type: 'cancel' | 'received'; session: number; id: number }
  | { type: 'wait'; ms: number };

const app = fc.nat(apps.length - 1);
const session = fc.nat(sessions.length - 1);
const id = fc.nat(ids.length - 1);
const tool = fc.nat(tools.length - 1);
const action: fc.Arbitrary<Action> = fc.oneof(
  // What moves calls comes more often than what ends them all.
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('park' as const), session, id, tool, resumed: fc.boolean() }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constantFrom('claim' as const, 'result' as const), app, id }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('cancel' as const, 'received' as const), session, id }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('operator' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('register' as const), app, tools: fc.uniqueArray(tool) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 5_000, 31_000, 100_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('connect' as const), app, keyed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('open' as const), session }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('disconnect' as const, 'dismiss' as const), app }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('withdraw' as const), app }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const), session }) },
);

/** How most histories begin, so that the rest of one meets something. */
const beginning: readonly Action[] = [
  { type: 'connect', app: 0, keyed: true },
  { type: 'connect', app: 1, keyed: false },
  { type: 'register', app: 0, tools: [0, 1] },
  { type: 'register', app: 1, tools: [2] },
  { type: 'open', session: 0 },
  { type: 'open', session: 1 },
];

/** Plays a history and keeps what came of it. */
class World {
  readonly core = new BrokerCore({ reconnectGraceMs: graceMs, denied: (_, name) => name === 'denied' });
  readonly log = new EventLog('abc123');
  readonly effects: Effect[] = [];
  readonly frames: { seq: number; full: string; redacted: string }[] = [];
  now = 1_000_000;
  #stream = 1;
  readonly #streams = new Map<number, number>();

  do(action: Action): void {
    try {
      this.#act(action);
    } catch (error) {
      if (!(error instanceof LeoError)) throw error;
    }
    for (const effect of this.core.takeEffects()) {
      this.effects.push(effect);
      if (effect.type === 'publish') this.frames.push(this.log.append(effect.event));
    }
  }

  #act(action: Action): void {
    const { core, now } = this;
    const appOf = (index: number) => apps[index] ?? clientId('c_nobody');
    const sessionOf = (index: number) => sessions[index] ?? sessionId('s_nobody');
    const idOf = (index: number) => ids[index] ?? requestId('r_none');
    switch (action.type) {
      case 'connect':
        this.#streams.set(action.app, this.#stream);
        return core.connect(appOf(action.app), action.keyed, this.#stream++);
      case 'disconnect':
        return core.disconnect(this.#streams.get(action.app) ?? 0, now);
      case 'dismiss':
        return core.dismiss(appOf(action.app));
      case 'register':
        core.register(
          appOf(action.app),
          'g',
          action.tools.map((index) => definition(tools[index] ?? '', index === 0 ? 0 : 60)),
        );
        return;
      case 'withdraw':
        return core.withdraw(appOf(action.app), 'g');
      case 'open':
        return core.openSession({
          id: sessionOf(action.session),
          agent: 'rocket',
          harness: null,
          mode: 'native',
          version: '0.0.0',
          startedAt: now,
        });
      case 'close':
        return core.closeSession(sessionOf(action.session));
      case 'park': {
        const resume = {
          provider: appOf(0),
          keyed: true,
          group: 'g',
          claimedBy: appOf(0),
          remainingMs: 9_000,
          ageMs: 1_000,
        };
        const call = {
          session: sessionOf(action.session),
          id: idOf(action.id),
          tool: tools[action.tool] ?? '',
          arguments: { secret: canary },
        };
        return core.park(action.resumed ? { ...call, resume } : call, now);
      }
      case 'claim':
        core.claim(appOf(action.app), idOf(action.id));
        return;
      case 'result':
        return core.result(
          appOf(action.app),
          idOf(action.id),
          { ok: true, content: [{ type: 'text', text: canary }] },
          'f',
        );
      case 'cancel':
        return core.cancel(sessionOf(action.session), idOf(action.id));
      case 'operator':
        return core.cancelForOperator(idOf(action.id));
      case 'received':
        return core.received(sessionOf(action.session), idOf(action.id));
      case 'wait':
        this.now += action.ms;
        return core.tick(this.now);
    }
  }

  /** Everybody leaves, and time passes. */
  finish(): void {
    for (const index of sessions.keys()) this.do({ type: 'close', session: index });
    for (const index of apps.keys()) this.do({ type: 'disconnect', app: index });
    this.do({ type: 'wait', ms: 200_000 });
  }
}

t.test('whatever happens in whatever order', async (t) => {
  const ends = new Map<string, number>();
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80, size: 'max' }), (history) => {
        const world = new World();
        for (const step of [...beginning, ...history]) world.do(step);
        world.finish();

        // Every parked call ends exactly once for the apps: opened by `request` (which may come again while it is
        // open), ended by one of `settled` and `cancelled`, and nothing of it after that until it is parked anew.
        const open = new Set<string>();
        for (const effect of world.effects) {
          if (effect.type !== 'publish') continue;
          const { event } = effect;
          ends.set(event.type, (ends.get(event.type) ?? 0) + 1);
          if (event.type === 'client_tool.request') open.add(event.request.id);
          if (
            (event.type === 'client_tool.claimed' ||
              event.type === 'client_tool.settled' ||
              event.type === 'client_tool.cancelled') &&
            !open.has(event.id)
          ) {
            throw new Error(`${event.type} for ${event.id}, which is not open`);
          }
          if (event.type === 'client_tool.settled' || event.type === 'client_tool.cancelled')
            open.delete(event.id);
        }
        if (open.size > 0) throw new Error(`never ended: ${[...open]}`);
        if (world.core.openRequests().length > 0) throw new Error('calls are left over');
        if (world.core.catalogue().length > 0) throw new Error('tools are left over');

        // `seq` has no gap, and no redacted frame holds an argument or a result.
        world.frames.forEach((frame, i) => {
          if (frame.seq !== i + 1) throw new Error(`seq ${frame.seq} at ${i}`);
          if (frame.redacted.includes(canary)) throw new Error(`an argument in ${frame.redacted}`);
        });
      }),
      { numRuns: 400 },
    ),
  );
  // A property that never met its cases would prove nothing.
  for (const type of ['client_tool.claimed', 'client_tool.settled', 'client_tool.cancelled']) {
    t.ok((ends.get(type) ?? 0) > 40, `${type} was met ${ends.get(type)} times`);
  }
});

t.test('every end of a call is told to its session exactly once', async (t) => {
  const ends = fc.constantFrom<Action>(
    { type: 'claim', app: 0, id: 0 },
    { type: 'claim', app: 1, id: 0 },
    { type: 'result', app: 0, id: 0 },
    { type: 'result', app: 1, id: 0 },
    { type: 'cancel', session: 0, id: 0 },
    { type: 'operator', id: 0 },
    { type: 'wait', ms: 31_000 },
    { type: 'withdraw', app: 0 },
    { type: 'close', session: 0 },
    { type: 'disconnect', app: 0 },
    { type: 'disconnect', app: 1 },
    { type: 'connect', app: 0, keyed: true },
  );
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(ends, { maxLength: 25, size: 'max' }), fc.boolean(), (history, keyed) => {
        const world = new World();
        world.do({ type: 'connect', app: 0, keyed });
        world.do({ type: 'connect', app: 1, keyed: false });
        world.do({ type: 'register', app: 0, tools: [1] });
        world.do({ type: 'open', session: 0 });
        world.do({ type: 'park', session: 0, id: 0, tool: 1, resumed: false });
        for (const step of history) world.do(step);
        world.finish();
        const outcomes = world.effects.filter((effect) => effect.type === 'outcome').length;
        const ended = world.effects.filter(
          (effect) =>
            effect.type === 'publish' &&
            (effect.event.type === 'client_tool.settled' || effect.event.type === 'client_tool.cancelled'),
        ).length;
        return outcomes === 1 && ended === 1;
      }),
      { numRuns: 300 },
    ),
  );
});
