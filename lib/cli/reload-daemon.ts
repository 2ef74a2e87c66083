// The running daemon, told that leo.yaml or a token has changed.

import { readReloaded } from './answers.js';
import { answerWithinMs, type DaemonAddress, demand, isNoDaemon } from './daemon-client.js';
import { CliError } from './failure.js';

/** What became of a change at the daemon. */
export type Taken =
  | { readonly daemon: 'reloaded'; readonly warnings: readonly string[] }
  /** It counts from the next start on. */
  | { readonly daemon: 'not running' }
  /** It may still go by what was. */
  | { readonly daemon: 'failed'; readonly error: string };

/** @throws {CliError} when no daemon answers, or leo.yaml cannot be used: then with its line, in the daemon's words. */
export async function reloadDaemon(address: DaemonAddress): Promise<readonly string[]> {
  const what = { method: 'POST', path: '/api/v1/reload', withinMs: answerWithinMs } as const;
  return readReloaded(await demand(address, what)).warnings;
}

/** Has the daemon take a change up at once, if one runs. */
export async function takeUp(address: DaemonAddress): Promise<Taken> {
  try {
    return { daemon: 'reloaded', warnings: await reloadDaemon(address) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return isNoDaemon(error) ? { daemon: 'not running' } : { daemon: 'failed', error: error.message };
  }
}

/**
 * Says on stderr what the user must know of it.
 *
 * @throws {CliError} when the change has not reached a daemon that runs.
 */
export function settleTaken(taken: Taken): void {
  if (taken.daemon === 'reloaded')
    for (const warning of taken.warnings) process.stderr.write(`leo: warning: ${warning}\n`);
  if (taken.daemon === 'failed')
    throw new CliError(`it is written down, but not in force yet: ${taken.error}; then: leo reload`);
}
