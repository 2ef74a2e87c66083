// The end of a process that was told to go by its terminal.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How long a process may take to go, in milliseconds, before it is killed with its group. */
const graceMs = 5000;
const lookEveryMs = 25;
const askPsEveryMs = 500;

/** Whether there is a process of this pid; one of another user is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Waits until a process is gone, and kills it with its group when that takes too long.
 *
 * @param reap has its parent look for it: one that has ended is there until its parent has asked how.
 */
export async function endProcess(pid: number, reap: () => void): Promise<void> {
  if (await gone(pid, reap)) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has gone in between.
    }
  }
  await gone(pid, reap);
}

async function gone(pid: number, reap: () => void): Promise<boolean> {
  for (let waited = 0; waited < graceMs; waited += lookEveryMs) {
    if (!isAlive(pid)) return true;
    reap();
    // One whose parent has gone too is the first process's to reap, which in a container may never do so.
    if (waited > 0 && waited % askPsEveryMs === 0 && (await isZombie(pid))) return true;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return !isAlive(pid);
}

/** Whether a process has ended and only its number is left. */
async function isZombie(pid: number): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
    return stdout.trim().startsWith('Z');
  } catch {
    // It has gone, or there is no ps; the next look tells.
    return false;
  }
}
