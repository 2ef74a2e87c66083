// Sending until the daemon has answered: a POST whose answer was lost is sent again (the broker takes an
// identical repeat), over a new stream if need be, and under the client_id of that stream.

import { LeoAppError } from '../errors.js';
import { backoffMs } from './backoff.js';
import type { DaemonLink, Live } from './daemon-link.js';
import type { Verdict } from './verdict.js';

export interface Sending {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path and the body for a client_id. */
  readonly path: (clientId: string) => string;
  readonly body?: (clientId: string) => string;
  /** Asked before each further attempt; false gives up. */
  readonly wanted: () => boolean;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export type Sent = Exclude<Verdict, { is: 'lost' }> | { readonly is: 'unwanted' };

/**
 * Sends until the daemon accepts or refuses.
 *
 * @throws {LeoAppError} once the link has ended.
 */
export async function sendPersistently(link: DaemonLink, sending: Sending): Promise<Sent> {
  for (let attempt = 1; ; attempt++) {
    const live = link.live ?? (await link.whenLive());
    if (attempt > 1 && !sending.wanted()) return { is: 'unwanted' };
    const verdict = await sendOnce(live, sending);
    if (verdict.is === 'refused' && verdict.error.code === 'unknown_client') {
      // Our client is gone, or was never this daemon's: another `hello` says who we are now.
      link.renew(live, verdict.error);
    } else if (verdict.is !== 'lost') return verdict;
    if (link.ended !== undefined) throw link.ended;
    // The link keeps the process alive as long as it is open; this wait must not outlive it.
    await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, sending.random())).unref());
  }
}

function sendOnce(live: Live, sending: Sending): Promise<Verdict> {
  return live.requests.send(sending.method, sending.path(live.clientId), sending.body?.(live.clientId));
}

/** What a refused or unwanted sending is, as an error. */
export function errorOf(sent: Exclude<Sent, { is: 'accepted' }>): LeoAppError {
  return sent.is === 'refused' ? sent.error : new LeoAppError('closed', 'this is not wanted any more');
}
