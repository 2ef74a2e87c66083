// Whether the harness lists tools again after it was told of a change (design 8), as its requests show it. Pure.
//
//   told ──tools/list──▶ re-listed
//     │
//     └── 10 s later: another request came, and no list ─▶ missed;  no request came ─▶ nothing is learnt
//
// - A harness that waits for a call may list when the call has ended (Copilot CLI does): what it sends while it
//   waits shows nothing, and neither does a silence in which it waits.
// - A judgement that comes late was held up, and so perhaps was the harness: it shows nothing.
// - The 10 s run from the first notification that was not followed by a list; later ones do not put them off.

/** What a harness was seen to do. */
export type Sighting = 'relisted' | 'missed';

export interface RelistWatch {
  /** When the harness was told of a change, if that is still to be judged. */
  readonly toldAt: number | undefined;
  /** Whether it has sent a request since that would have been preceded by a list. */
  readonly asked: boolean;
}

export const notWatching: RelistWatch = { toldAt: undefined, asked: false };

/** How long a harness may take to list again, in milliseconds. */
export const relistMs = 10_000;
/** How much later than that a judgement still counts. */
const lateMs = 2000;

/** The harness was told of a change. */
export function told(watch: RelistWatch, now: number): RelistWatch {
  return watch.toldAt === undefined ? { toldAt: now, asked: false } : watch;
}

/** The harness has sent a request that is no list. */
export function asked(watch: RelistWatch, waits: boolean): RelistWatch {
  return watch.toldAt === undefined || waits ? watch : { ...watch, asked: true };
}

/** What a list of the harness's shows, if anything; the watch is over by it. */
export function listed(watch: RelistWatch): Sighting | undefined {
  return watch.toldAt === undefined ? undefined : 'relisted';
}

/** What the time shows, `relistMs` after the harness was told, if anything; the watch is over by it. */
export function judged(watch: RelistWatch, now: number, waits: boolean): Sighting | undefined {
  if (watch.toldAt === undefined || !watch.asked || waits) return undefined;
  return now - watch.toldAt < relistMs + lateMs ? 'missed' : undefined;
}
