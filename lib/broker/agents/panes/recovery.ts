// What has become of an agent, told from what tmux lists (design 9). Pure.
//
// A pane is an agent's only while its id, its process and the start of the server are the same: pane ids begin anew
// with each server, and process ids come round again.

import type { Exit } from '../backoff.js';
import type { PaneIdentity } from './pane.js';

/** A pane as tmux lists it. */
export interface SeenPane extends PaneIdentity {
  /** `#{pid}`: the process of the server. */
  readonly serverPid: number;
  readonly sessionId: string;
  readonly session: string;
  /** Whether its terminal is closed: a moment before or after its process has ended. */
  readonly dead: boolean;
  /** How its process ended; undefined until tmux knows, and before 3.3 for an end by a signal. */
  readonly exit: Exit | undefined;
}

/** What tmux says: its panes, or that no server runs. */
export type Seen =
  | { readonly kind: 'panes'; readonly panes: readonly SeenPane[] }
  | { readonly kind: 'gone' };

export type Fate =
  | { readonly kind: 'lives' }
  | { readonly kind: 'ended'; readonly exit: Exit }
  | { readonly kind: 'lost'; readonly detail: string };

/** For `tmux list-panes -F`; the session's name is last, since it may hold anything. */
export const paneFormat =
  '#{pane_id},#{pane_pid},#{start_time},#{pid},#{session_id},#{pane_dead},#{pane_dead_status},#{pane_dead_signal},#{session_name}';

/** Reads what `tmux list-panes` prints with `paneFormat`. */
export function panesIn(text: string): readonly SeenPane[] {
  return text.split('\n').flatMap((line) => {
    const [, paneId, pid, start, serverPid, sessionId, dead, code, signal, session] =
      /^(%\d+),(\d+),(\d+),(\d+),(\$\d+),(\d*),(\d*),(\d*),(.*)$/.exec(line) ?? [];
    if (paneId === undefined || sessionId === undefined || session === undefined) return [];
    const known = Boolean(code) || Boolean(signal);
    const exit = known ? { code: numberOrNull(code), signal: numberOrNull(signal) } : undefined;
    return [
      {
        paneId,
        pid: Number(pid),
        serverStart: Number(start),
        serverPid: Number(serverPid),
        sessionId,
        session,
        dead: dead === '1',
        exit,
      },
    ];
  });
}

/** Whether two are the same pane of the same server, with the same process. */
export function isSamePane(a: PaneIdentity, b: PaneIdentity): boolean {
  return a.paneId === b.paneId && a.pid === b.pid && a.serverStart === b.serverStart;
}

/**
 * What has become of the agent in a pane.
 *
 * A process and its terminal end one after the other, in either order, and tmux tells of the process's code only when
 * it has seen both. So one whose terminal is closed lives until its process is gone; tmux wakes us then.
 *
 * @param wasAlive whether a process was there before tmux was asked. One that was not, and of whose end tmux does not
 *   know, ended by a signal, or has left something behind that keeps its terminal open.
 */
export function fateOf(pane: PaneIdentity, seen: Seen, wasAlive: (pid: number) => boolean): Fate {
  if (seen.kind === 'gone') return { kind: 'lost', detail: 'the tmux server is gone' };
  const found = seen.panes.find((one) => isSamePane(one, pane));
  if (found === undefined) {
    const sameServer = seen.panes.some(({ serverStart }) => serverStart === pane.serverStart);
    return {
      kind: 'lost',
      detail: sameServer ? 'its pane was closed' : 'the tmux server is gone; another one runs now',
    };
  }
  if (found.exit !== undefined) return { kind: 'ended', exit: found.exit };
  return wasAlive(pane.pid) ? { kind: 'lives' } : { kind: 'ended', exit: { code: null, signal: null } };
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
