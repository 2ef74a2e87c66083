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

/** Waits until a process is gone, and kills it with its group when that takes too long. */
export async function endProcess(pid: number): Promise<void> {
  if (await gone(pid)) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has gone in between.
    }
  }
  await gone(pid);
}

async function gone(pid: number): Promise<boolean> {
  for (let waited = 0; waited < graceMs; waited += lookEveryMs) {
    if (!isAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return !isAlive(pid);
}
