// When to send list_changed (design 8). Pure: what happened and when in, whether and when to notify out.
//
// - Never before the harness has listed, and never for a list that is the one it saw last.
// - At most once in `intervalMs`, after the list has been still for the settling time, and not put off for
//   ever by a list that is never still.
// - A harness that does not list again after a notification is not told twice of the same list.

export interface ListChanges {
  /** What the harness saw last, by listing; undefined before it has listed. */
  readonly seen: string | undefined;
  /** The list that it was last told of and has not seen. */
  readonly told: string | undefined;
  readonly current: string | undefined;
  /** When a change of the list was first, and last, seen and not yet told of. */
  readonly changed:
    | { readonly firstAt: number; readonly lastAt: number; readonly settleMs: number }
    | undefined;
  readonly toldAt: number | undefined;
}

export const noListYet: ListChanges = {
  seen: undefined,
  told: undefined,
  current: undefined,
  changed: undefined,
  toldAt: undefined,
};

export const intervalMs = 1000;
/** How long a list must be still: apps register several groups in a burst. */
export const settleMs = 30;
/** The same after the daemon came back without its apps, which are on their way too. */
export const restartSettleMs = 1500;
/** A list that keeps changing is told of after so many settling times. */
const patience = 4;

/** The harness has listed, and saw this. */
export function listed(state: ListChanges, bytes: string): ListChanges {
  return { ...state, seen: bytes, told: undefined, current: bytes, changed: undefined };
}

/** The list has become this. */
export function changed(
  state: ListChanges,
  bytes: string,
  now: number,
  settle: number = settleMs,
): ListChanges {
  if (bytes === state.current) return state;
  const first = state.changed?.firstAt ?? now;
  return { ...state, current: bytes, changed: { firstAt: first, lastAt: now, settleMs: settle } };
}

/** What to do about the list now. */
export type Verdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'notify'; readonly state: ListChanges };

export function judge(state: ListChanges, now: number): Verdict {
  const { changed: change, seen, current } = state;
  if (change === undefined || seen === undefined || current === undefined) return { kind: 'nothing' };
  if (current === (state.told ?? seen)) return { kind: 'nothing' };
  const still = Math.min(change.lastAt + change.settleMs, change.firstAt + patience * change.settleMs);
  const due = Math.max(still, (state.toldAt ?? Number.NEGATIVE_INFINITY) + intervalMs);
  if (now < due) return { kind: 'wait', ms: due - now };
  return { kind: 'notify', state: { ...state, told: current, toldAt: now, changed: undefined } };
}
