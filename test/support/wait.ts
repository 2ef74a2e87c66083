// Waiting for a condition, never for a time.

/**
 * Waits until a check gives something other than undefined or false, and returns it.
 *
 * @param what the condition in words, for the error of a test that waits in vain; as a function, asked then, so that
 *   it can tell what was there instead.
 * @param timeoutMs how long a test may wait; it is a bound, not a measurement.
 */
export async function until<T>(
  what: string | (() => string),
  check: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end)
      throw new Error(`waited ${timeoutMs} ms in vain until ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Whether there is a process of this pid. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
