// How much memory processes have, in MB.
//
// Of many alike, proportional memory: shared pages divided by their sharers, where the system tells, which is
// Linux; else resident memory, which counts what they share again for each. Of one process before and after,
// resident memory, since its proportional one falls when others come to share its pages.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** What `memoryOf` measures here. */
export const memoryKind = existsSync('/proc/self/smaps_rollup') ? 'proportional' : 'resident';

/** The memory of processes together. */
export function memoryOf(pids: readonly number[]): number {
  if (memoryKind === 'resident') return pids.reduce((sum, pid) => sum + residentMemoryOf(pid), 0);
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** The resident memory of one process. */
export function residentMemoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** A measurement once it has stopped moving: three looks, half a second apart, within one part in a hundred. */
export async function settled(look: () => number): Promise<number> {
  const looks: number[] = [];
  for (let tries = 0; tries < 40; tries++) {
    await pause(500);
    looks.push(look());
    const last = looks.slice(-3);
    if (last.length === 3 && Math.max(...last) - Math.min(...last) <= Math.max(...last) / 100) break;
  }
  return looks.at(-1) ?? Number.NaN;
}
