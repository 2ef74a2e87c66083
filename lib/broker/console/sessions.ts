// The browsers that are signed in to the console. Pure but for its own table; the time comes in, in epoch
// milliseconds.
//
// What must stay true: a session is known by two secrets, of which only hashes are kept, and counts only where both
// are shown together; it ends when it was not used for `idleMs`, and after `maxAgeMs` however much it is used; there
// are never more than `maxSessions`.

import { timingSafeEqual } from 'node:crypto';
import { hashOf, isSecret } from './secrets.js';

export const idleMs = 7 * 86_400_000;
export const maxAgeMs = 30 * 86_400_000;
const maxSessions = 16;
/** How old, in milliseconds, a use is before another one is written down. */
const usedEveryMs = 3_600_000;
/** Cookies of one name that a request may bring: whoever can set one for another path must not hide ours. */
const maxCookies = 4;

export interface ConsoleSession {
  /** The hash of the cookie's half, in hex: what the session is called inside. */
  readonly id: string;
  /** The hash of the header's half, in hex. */
  readonly header: string;
  readonly createdAt: number;
  readonly usedAt: number;
}

/** What a request shows of a session. */
export interface Shown {
  readonly cookies: readonly string[];
  readonly header: string;
}

export class ConsoleSessions {
  #list: readonly ConsoleSession[];

  constructor(list: readonly ConsoleSession[]) {
    this.#list = list.slice(-maxSessions);
  }

  /** The longest unused first. */
  get list(): readonly ConsoleSession[] {
    return this.#list;
  }

  /** Adds a session; the one that was not used for longest makes room. */
  open(secrets: { readonly cookie: string; readonly header: string }, now: number): ConsoleSession {
    const session: ConsoleSession = {
      id: hashOf(secrets.cookie).toString('hex'),
      header: hashOf(secrets.header).toString('hex'),
      createdAt: now,
      usedAt: now,
    };
    this.#list = [...this.#list.slice(-(maxSessions - 1)), session];
    return session;
  }

  /** The session that a request shows both halves of, in a time that tells nothing of what was nearly right. */
  find({ cookies, header }: Shown, now: number): ConsoleSession | undefined {
    const wanted = isSecret(header) ? hashOf(header) : undefined;
    const ids = cookies.filter(isSecret).slice(0, maxCookies).map(hashOf);
    if (wanted === undefined) return undefined;
    let found: ConsoleSession | undefined;
    for (const session of this.#list) {
      const right = timingSafeEqual(wanted, Buffer.from(session.header, 'hex'));
      for (const id of ids)
        if (timingSafeEqual(id, Buffer.from(session.id, 'hex')) && right && lives(session, now))
          found = session;
    }
    return found;
  }

  /** Whether a session has not ended. */
  holds(id: string, now: number): boolean {
    return this.#list.some((session) => session.id === id && lives(session, now));
  }

  /** A session was used; tells whether that is worth writing down. */
  use(id: string, now: number): boolean {
    const session = this.#list.find((one) => one.id === id);
    if (session === undefined || now - session.usedAt < usedEveryMs) return false;
    this.#list = [...this.#list.filter((one) => one !== session), { ...session, usedAt: now }];
    return true;
  }

  /** Ends a session; tells whether there was one. */
  close(id: string): boolean {
    const before = this.#list.length;
    this.#list = this.#list.filter((session) => session.id !== id);
    return this.#list.length < before;
  }

  /** Ends every session; tells how many there were. */
  clear(): number {
    const { length } = this.#list;
    this.#list = [];
    return length;
  }

  /** Forgets the sessions that have ended by themselves; tells whether there were any. */
  sweep(now: number): boolean {
    const before = this.#list.length;
    this.#list = this.#list.filter((session) => lives(session, now));
    return this.#list.length < before;
  }
}

function lives({ createdAt, usedAt }: ConsoleSession, now: number): boolean {
  return now < createdAt + maxAgeMs && now < usedAt + idleMs;
}
