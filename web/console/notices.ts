// What the person is told in passing. Pure.

import type { Question } from '../model/facts.js';
import type { Action } from '../model/reduce.js';

export interface Notice {
  readonly n: number;
  readonly words: string;
  readonly tone: 'good' | 'bad' | 'plain';
}

/** What to tell of questions that are not open any more, but for those that were answered in this tab. */
export function gone(
  before: readonly Question[],
  after: readonly Question[],
  action: Action,
  answeredHere: ReadonlySet<string>,
): readonly string[] {
  const open = new Set(after.map(({ id }) => id));
  const ended = before.filter(({ id }) => !open.has(id) && !answeredHere.has(id));
  return ended.map(({ id, agent }) => {
    if (action.type === 'answered') return `The question of ${agent} was answered in another tab.`;
    const end =
      action.type === 'events' ? action.events.find((event) => 'id' in event && event.id === id) : undefined;
    if (end?.type === 'settled' && end.outcome === 'ok')
      return `The question of ${agent} was answered in another tab.`;
    return `${agent} does not wait for an answer any more.`;
  });
}
