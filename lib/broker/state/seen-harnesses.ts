// What the sessions of each harness were seen to do (lib/config/seen-harnesses.ts), kept over restarts.
//
// - A harness is known by its name and version: a newer version is seen anew.
// - What was seen last counts. A sighting that says nothing new is taken once an hour at most: ten agents that
//   re-list with every change must not write a file each time.

import { writePrivately } from '../../config/private-file.js';
import { findSeen, readSeenHarnesses, type SeenHarness, seenToRelist } from '../../config/seen-harnesses.js';
import type { Harness } from '../../wire/bodies/agents.js';
import type { Clock } from '../clock.js';

/** Harnesses beyond this many push out the one that was seen longest ago: whoever makes up names must not fill the disk. */
const maxSeen = 256;
/** How old, in milliseconds, a sighting is before another like it counts. */
const seenEveryMs = 3_600_000;

export class SeenHarnesses {
  #list: readonly SeenHarness[];

  /** @param log is told when the file cannot be written; what was seen counts for this run all the same. */
  constructor(
    readonly path: string,
    readonly clock: Clock,
    readonly log: (line: string) => void,
  ) {
    this.#list = readSeenHarnesses(path);
  }

  /** Sorted by name and version. */
  get list(): readonly SeenHarness[] {
    return this.#list;
  }

  /** Whether a harness was seen to re-list; undefined where nothing was seen of it. */
  relists(harness: Harness | null): boolean | undefined {
    const seen = harness === null ? undefined : findSeen(this.#list, harness);
    return seen === undefined ? undefined : seenToRelist(seen);
  }

  /** A session of a harness did, or did not, list again. */
  see({ name, version }: Harness, relists: boolean): void {
    const now = this.clock();
    const before = findSeen(this.#list, { name, version });
    if (before !== undefined && seenToRelist(before) === relists) {
      const known = relists ? before.relisted_at : before.missed_at;
      if (known !== null && now - Date.parse(known) < seenEveryMs) return;
    }
    const time = new Date(now).toISOString();
    const after: SeenHarness = {
      name,
      version,
      relisted_at: relists ? time : (before?.relisted_at ?? null),
      missed_at: relists ? (before?.missed_at ?? null) : time,
    };
    const others = this.#list.filter((one) => one !== before);
    const oldest = others.length < maxSeen ? undefined : longestAgo(others);
    this.#list = [...others.filter((one) => one !== oldest), after].sort((a, b) =>
      key(a) < key(b) ? -1 : 1,
    );
    this.#write();
  }

  #write(): void {
    try {
      writePrivately(this.path, `${JSON.stringify({ harnesses: this.#list }, null, 2)}\n`);
    } catch (error) {
      // A full disk must not keep an agent from its tools.
      this.log(`warning: ${this.path} is not written: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function key({ name, version }: SeenHarness): string {
  return `${name}\n${version}`;
}

function lastSeen({ relisted_at, missed_at }: SeenHarness): string {
  return [relisted_at ?? '', missed_at ?? ''].sort()[1] ?? '';
}

function longestAgo(list: readonly SeenHarness[]): SeenHarness | undefined {
  return list.reduce<SeenHarness | undefined>(
    (oldest, one) => (oldest === undefined || lastSeen(one) < lastSeen(oldest) ? one : oldest),
    undefined,
  );
}
