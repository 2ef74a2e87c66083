// A lock between processes of one user: a file, held for some milliseconds while something is looked at and changed.
//
// It is made by linking a file that already names its holder, so that it is never empty, and it counts as left
// behind when its holder is no more. Rule: a lock is broken only by renaming it away and finding that what was
// renamed is the one that was judged.

import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { PlaceError } from './place-error.js';

export interface LockWait {
  /** How long others may hold it, in milliseconds. */
  readonly patienceMs: number;
  /** Asked between two tries; what it throws ends the wait. */
  readonly whileWaiting?: () => Promise<void>;
}

/**
 * Takes a lock.
 *
 * @returns what lets go of it.
 * @throws {PlaceError} when somebody else has held it for too long.
 */
export async function takeLockFile(
  lock: string,
  { patienceMs, whileWaiting }: LockWait,
): Promise<() => void> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}\n`;
  const candidate = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const end = Date.now() + patienceMs;
  for (;;) {
    writeFileSync(candidate, mine, { mode: 0o600, flag: 'w' });
    const taken = tryLink(candidate, lock);
    rmSync(candidate, { force: true });
    if (taken) {
      return () => {
        if (contentOf(lock) === mine) rmSync(lock, { force: true });
      };
    }
    await whileWaiting?.();
    const holder = contentOf(lock);
    if (holder !== undefined && !isRunning(Number.parseInt(holder, 10))) breakLock(lock, holder);
    else if (Date.now() > end) {
      throw new PlaceError(
        `another process has held ${lock} for ${patienceMs / 1000} s; if none is at work: rm ${lock}`,
      );
    } else await delay(10 + Math.random() * 40);
  }
}

function breakLock(lock: string, judged: string): void {
  const away = `${lock}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(lock, away);
  } catch {
    return; // Somebody else broke it.
  }
  // If another had taken the lock in between, it gets it back.
  if (contentOf(away) !== judged) tryLink(away, lock);
  rmSync(away, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether a process runs; one that may not be signalled does. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
