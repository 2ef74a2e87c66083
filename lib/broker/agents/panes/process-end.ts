// The end of a process that was told to go by its terminal.

/** How long a process may take to go, in milliseconds, before it is killed with its group. */
const graceMs = 5000;
const lookEveryMs = 25;

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
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return !isAlive(pid);
}
