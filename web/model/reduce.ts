// From what happened to what is shown. Pure; the leading tab and every other one run it over the same actions.
//
// What must stay true:
// - Nothing grows without bound: the log, the calls that are listed and the things shown have limits.
// - A call or question that has ended is gone at once, and stays gone whatever comes late.
// - An event that says too little makes its facts stale; the daemon is then asked, and its answer counts, but for
//   what happened after it was asked.

import type {
  Agent,
  CallName,
  ConsoleEvent,
  Facts,
  Group,
  Link,
  LogLine,
  Offering,
  OpenCall,
  Question,
  Shown,
  State,
} from './facts.js';

export const logLength = 500;
/** More open calls than this are counted by `leo calls`, not by a page. */
export const mostCalls = 1000;
export const mostShown = 20;

export type Action =
  | { readonly type: 'hello'; readonly at: number; readonly link: Extract<Link, { is: 'live' }> }
  | { readonly type: 'lost'; readonly at: number }
  | { readonly type: 'events'; readonly at: number; readonly events: readonly ConsoleEvent[] }
  | { readonly type: 'agents'; readonly asOf: number; readonly agents: readonly Agent[] }
  | { readonly type: 'groups'; readonly asOf: number; readonly groups: readonly Group[] }
  | { readonly type: 'calls'; readonly asOf: number; readonly calls: readonly OpenCall[] }
  | { readonly type: 'offering'; readonly offering: Offering }
  | { readonly type: 'asked'; readonly question: Question }
  | { readonly type: 'answered'; readonly id: string }
  /** The daemon has had time to be given its calls again: what is not among these is gone. */
  | { readonly type: 'prune'; readonly open: readonly string[] }
  | { readonly type: 'shown'; readonly shown: Shown }
  | { readonly type: 'dismissed'; readonly id: string };

/** Whether the daemon is to be asked for these. */
export function isStale({ wanted, known }: State, facts: Facts): boolean {
  return wanted[facts] > known[facts];
}

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'hello': {
      const { link, at } = action;
      const { agents, groups, calls } = state.wanted;
      return {
        ...state,
        link,
        wanted: { agents: agents + 1, groups: groups + 1, calls: calls + 1 },
        log: logged(state.log, at, [{ event: { type: 'connected', version: link.version } }]),
      };
    }
    case 'lost':
      // Only the first failure is news.
      return state.link.is === 'lost'
        ? state
        : {
            ...state,
            // What was this browser's still is.
            link: {
              is: 'lost',
              since: action.at,
              clientId: state.link.is === 'live' ? state.link.clientId : undefined,
            },
            log:
              state.link.is === 'live'
                ? logged(state.log, action.at, [{ event: { type: 'lost' } }])
                : state.log,
          };
    case 'events':
      return action.events.length === 0 ? state : withEvents(state, action.events, action.at);
    case 'agents':
      return { ...fresh(state, 'agents', action.asOf), agents: action.agents };
    case 'groups':
      return { ...fresh(state, 'groups', action.asOf), groups: action.groups };
    case 'calls':
      return { ...fresh(state, 'calls', action.asOf), calls: knownSince(state.calls, action.calls) };
    case 'offering':
      return {
        ...state,
        offering: action.offering,
        // Who has stopped has no questions: their calls were ended when the tools were withdrawn. Who was refused may
        // have some of before, which wait for no one else.
        questions: action.offering.is === 'off' ? [] : state.questions,
      };
    case 'asked': {
      const { question } = action;
      const before = state.questions.find(({ id }) => id === question.id);
      const since = Math.min(before?.since ?? question.since, question.since);
      const asked = { ...question, since };
      const questions =
        before === undefined
          ? [...state.questions, asked]
          : state.questions.map((each) => (each === before ? asked : each));
      // In the order in which they were asked, however long each took to be claimed.
      return { ...state, questions: questions.sort((a, b) => a.since - b.since) };
    }
    case 'answered':
      return withoutQuestions(state, new Set([action.id]));
    case 'prune': {
      const open = new Set(action.open);
      return withoutQuestions(
        state,
        new Set(state.questions.map(({ id }) => id).filter((id) => !open.has(id))),
      );
    }
    case 'shown':
      return state.shown.some(({ id }) => id === action.shown.id)
        ? state
        : { ...state, shown: [action.shown, ...state.shown].slice(0, mostShown) };
    case 'dismissed':
      return { ...state, shown: state.shown.filter(({ id }) => id !== action.id) };
  }
}

function withEvents(state: State, events: readonly ConsoleEvent[], at: number): State {
  // One copy for a batch: a thousand events a second come in a few dozen batches.
  let calls: Map<string, OpenCall> | undefined;
  const changing = () => {
    calls ??= new Map(state.calls);
    return calls;
  };
  const wanted = { ...state.wanted };
  const ended = new Set<string>();
  const lines: Line[] = [];
  for (const event of events) {
    const known = 'id' in event ? (calls ?? state.calls).get(event.id) : undefined;
    lines.push(known === undefined || known.agent === '' ? { event } : { event, call: named(known) });
    switch (event.type) {
      case 'request':
        if (event.call.agent === '') wanted.calls++;
        if ((calls ?? state.calls).size < mostCalls || state.calls.has(event.call.id)) {
          const before = (calls ?? state.calls).get(event.call.id);
          changing().set(event.call.id, before === undefined ? event.call : again(before, event.call));
        } else wanted.calls++;
        break;
      case 'claimed': {
        const call = (calls ?? state.calls).get(event.id);
        if (call !== undefined)
          changing().set(event.id, { ...call, state: 'claimed', claimedBy: event.clientId });
        break;
      }
      case 'cancelled':
      case 'settled':
        if ((calls ?? state.calls).has(event.id)) changing().delete(event.id);
        ended.add(event.id);
        break;
      case 'tools':
        wanted.groups++;
        break;
      case 'started':
      case 'stopped':
        wanted.agents++;
        break;
      case 'message':
      case 'other':
        break;
    }
  }
  const next: State = { ...state, calls: calls ?? state.calls, wanted, log: logged(state.log, at, lines) };
  return withoutQuestions(next, ended);
}

/** A call that is published again, its claimant gone: it has waited since it was first seen. */
function again(before: OpenCall, call: OpenCall): OpenCall {
  const named = call.agent === '' ? { ...before, state: call.state, claimedBy: call.claimedBy } : call;
  return { ...named, since: Math.min(before.since, call.since) };
}

/** The daemon's list, in its order, with what was known before about since when. */
function knownSince(
  before: ReadonlyMap<string, OpenCall>,
  calls: readonly OpenCall[],
): ReadonlyMap<string, OpenCall> {
  return new Map(
    calls.slice(0, mostCalls).map((call) => {
      const since = Math.min(before.get(call.id)?.since ?? call.since, call.since);
      return [call.id, since === call.since ? call : { ...call, since }];
    }),
  );
}

function withoutQuestions(state: State, ended: ReadonlySet<string>): State {
  if (!state.questions.some(({ id }) => ended.has(id))) return state;
  return { ...state, questions: state.questions.filter(({ id }) => !ended.has(id)) };
}

function fresh(state: State, facts: Facts, asOf: number): State {
  return { ...state, known: { ...state.known, [facts]: asOf } };
}

type Line = Pick<LogLine, 'event' | 'call'>;

function named({ agent, tool }: OpenCall): CallName {
  return { agent, tool };
}

function logged(log: readonly LogLine[], at: number, lines: readonly Line[]): readonly LogLine[] {
  const last = log.at(-1)?.n ?? 0;
  return [...log, ...lines.map((line, index) => ({ ...line, n: last + index + 1, at }))].slice(-logLength);
}
