// When the apps of each group were last seen (lib/config/seen-apps.ts), kept over restarts.
//
// - A group that is there is being seen; its time is written when it comes, when it goes, and when the daemon ends.
// - A time is within a minute: an app that comes and goes without end must not write a file each time.

import { writePrivately } from '../../config/private-file.js';
import { readSeenApps, type SeenApp } from '../../config/seen-apps.js';
import type { Clock } from '../clock.js';

/** Groups beyond this many push out the one that was seen longest ago: whoever makes up names must not fill the disk. */
const maxSeen = 256;
/** How much later, in milliseconds, a group must be seen for its time to be written anew. */
const seenEveryMs = 60_000;

export class SeenApps {
  /** When each group was last seen, in epoch milliseconds, as the file has it. */
  readonly #written: Map<string, number>;
  #present: ReadonlySet<string> = new Set();

  /** @param log is told when the file cannot be written. */
  constructor(
    readonly path: string,
    readonly clock: Clock,
    readonly log: (line: string) => void,
  ) {
    this.#written = new Map(
      readSeenApps(path).map(({ group, last_seen }) => [group, Date.parse(last_seen)] as const),
    );
  }

  /** The groups that connected apps offer now, all of them. */
  see(groups: Iterable<string>): void {
    const before = this.#present;
    this.#present = new Set(groups);
    this.#note(
      new Set([...before, ...this.#present].filter((one) => before.has(one) !== this.#present.has(one))),
    );
  }

  /** The daemon ends: those who are there were seen until now. */
  close(): void {
    this.#note(this.#present);
  }

  #note(groups: ReadonlySet<string>): void {
    const now = this.clock();
    const due = [...groups].filter((group) => now - (this.#written.get(group) ?? 0) >= seenEveryMs);
    if (due.length === 0) return;
    for (const group of due) this.#written.set(group, now);
    const newest = [...this.#written].sort(([, a], [, b]) => b - a);
    for (const [group] of newest.splice(maxSeen)) this.#written.delete(group);
    const apps: readonly SeenApp[] = newest
      .map(([group, at]) => ({ group, last_seen: new Date(at).toISOString() }))
      .sort((a, b) => (a.group < b.group ? -1 : 1));
    try {
      writePrivately(this.path, `${JSON.stringify({ apps }, null, 2)}\n`);
    } catch (error) {
      // A full disk must not keep an app from offering its tools.
      this.log(`warning: ${this.path} is not written: ${error instanceof Error ? error.message : error}`);
    }
  }
}
