// What becomes of the record of an agent once tmux was looked at (design 9). Pure.

import type { RestartPolicy } from '../../config/templates.js';
import { afterExit, type Exit } from './backoff.js';
import type { PaneIdentity } from './panes/pane.js';
import { fateOf, type Seen } from './panes/recovery.js';
import { type AgentRecord, exitWords } from './records.js';

/** What was seen, and when. */
export interface Look {
  readonly seen: Seen;
  /** Whether a process was there before tmux was asked. */
  readonly wasAlive: (pid: number) => boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type Became =
  | { readonly kind: 'unchanged' }
  /** The daemon ended while it made the pane: now it is known whether there is one. */
  | { readonly kind: 'known'; readonly record: AgentRecord }
  /** It runs no more. */
  | { readonly kind: 'over'; readonly record: AgentRecord; readonly log: string };

/** @param policy of the agent's template, as it is now. */
export function becomes(record: AgentRecord, { seen, wasAlive, now }: Look, policy: RestartPolicy): Became {
  const { life, name } = record;
  if (life.state === 'starting') return { kind: 'known', record: adopted(record, seen) };
  if (life.state !== 'running') return { kind: 'unchanged' };
  const fate = fateOf(life.pane, seen, wasAlive);
  if (fate.kind === 'lives') return { kind: 'unchanged' };
  if (fate.kind === 'ended') return exited(record, life.pane, fate.exit, now - life.since, policy, now);
  const { detail } = fate;
  return {
    kind: 'over',
    record: { ...record, life: { state: 'lost', detail } },
    log: `agent ${name}: ${detail}`,
  };
}

/** tmux tells by the session's name whether the pane is there. */
function adopted(record: AgentRecord, seen: Seen): AgentRecord {
  const found = seen.kind === 'gone' ? undefined : seen.panes.find(({ session }) => session === record.name);
  if (found === undefined)
    return { ...record, life: { state: 'lost', detail: 'the daemon ended while it was started' } };
  const { paneId, pid, serverStart } = found;
  return {
    ...record,
    life: { state: 'running', pane: { paneId, pid, serverStart }, since: record.startedAt },
  };
}

function exited(
  record: AgentRecord,
  pane: PaneIdentity,
  exit: Exit,
  ranMs: number,
  policy: RestartPolicy,
  now: number,
): Became {
  const detail = exitWords(exit);
  const log = `agent ${record.name}: ${detail}`;
  const next = afterExit(policy, exit, ranMs, record.failures);
  if (next.kind === 'stay')
    return { kind: 'over', record: { ...record, life: { state: 'exited', pane, detail } }, log };
  const life = { state: 'restarting', pane, at: now + next.delayMs, detail } as const;
  return {
    kind: 'over',
    record: { ...record, failures: next.failures, life },
    log: `${log}; started again in ${next.delayMs / 1000} s`,
  };
}
