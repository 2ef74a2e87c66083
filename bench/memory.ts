// How much memory processes have, in MB: proportional (shared pages divided by their sharers) where the system
// tells, which is Linux; else resident, which counts what they share again for each.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export const memoryKind = existsSync('/proc/self/smaps_rollup') ? 'proportional' : 'resident';

/** The memory of processes together, in MB. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + kilobytes(pid), 0) / 1024;
}

function kilobytes(pid: number): number {
  if (memoryKind === 'resident') {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  }
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

/** The memory once it has stopped moving: three looks, half a second apart, within one part in a hundred. */
export async function settledMemory(pids: readonly number[]): Promise<number> {
  const looks: number[] = [];
  for (let tries = 0; tries < 40; tries++) {
    await pause(500);
    looks.push(memoryOf(pids));
    const last = looks.slice(-3);
    if (last.length === 3 && Math.max(...last) - Math.min(...last) <= Math.max(...last) / 100) break;
  }
  return looks.at(-1) ?? Number.NaN;
}
