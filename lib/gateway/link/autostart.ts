// When a gateway starts the daemon itself (design 8). Pure.
//
// Only for an agent that has asked for something, only where nobody listens (a stopped daemon still owns its
// socket), and once in an outage: a daemon that does not come up is the user's to mend, and twenty gateways
// that see the same outage start at most one each.

import type { DialFailure } from './redial.js';

/** A daemon that was running and went is given this long to come back, as in an upgrade. */
export const restartGraceMs = 2000;
/** A daemon that does not stay up is started again no sooner. */
export const cooldownMs = 60_000;

export interface Outage {
  /** How the last dial failed; undefined while there is a link, or before the first dial has ended. */
  readonly failure: DialFailure | undefined;
  /** When the last link was lost; undefined if there never was one. */
  readonly lostAt: number | undefined;
  /** When this gateway last started a daemon. */
  readonly startedAt: number | undefined;
}

/** Whether to start the daemon now. Times are milliseconds of one clock. */
export function shouldStartDaemon(outage: Outage, now: number): boolean {
  if (outage.failure !== 'absent' && outage.failure !== 'refused') return false;
  if (outage.startedAt !== undefined && now - outage.startedAt < cooldownMs) return false;
  return outage.lostAt === undefined || now - outage.lostAt >= restartGraceMs;
}
