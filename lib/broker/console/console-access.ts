// Who is signed in to the console: links, sessions, and what ends with them (docs/operators.md, "The console").
//
// What must stay true: the cookie alone is worth nothing, since a browser sends it to every port of this machine, and
// neither is the header; who signs out is out at once, streams and all; nothing is done, not even a timer, while nobody
// is signed in.

import type { WireConsoleLink } from '../../wire/console.js';
import { LeoError } from '../../wire/errors.js';
import type { Principal } from '../access/principal.js';
import type { Clock } from '../clock.js';
import { newSecret } from './secrets.js';
import { readSessions, writeSessions } from './session-file.js';
import { ConsoleSessions, maxAgeMs, type Shown } from './sessions.js';
import { givenCookie, takenCookie } from './shown-session.js';
import { SignInCodes } from './sign-in-codes.js';

/** How often it is looked for sessions that have ended by themselves, in milliseconds. */
const sweepEveryMs = 3_600_000;

export interface ConsoleAccessOptions {
  /** state/console.json. */
  readonly path: string;
  readonly clock: Clock;
  /** Where a browser on this machine finds the daemon. */
  readonly address: () => { readonly url: string; readonly port: number };
  /** Takes one line for the log. */
  readonly log: (line: string) => void;
  /** The sessions of the streams that are open. */
  readonly streaming: () => readonly string[];
  /** Ends the streams of sessions that are over; `left` where their apps have left with them. */
  readonly end: (how: 'left' | 'expired') => void;
}

/** What a browser is given that has signed in. */
export interface SignedIn {
  /** The value of Set-Cookie. */
  readonly cookie: string;
  /** For the header of every further request. */
  readonly csrf: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

export class ConsoleAccess {
  readonly #options: ConsoleAccessOptions;
  readonly #codes = new SignInCodes();
  readonly #sessions: ConsoleSessions;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: ConsoleAccessOptions) {
    this.#options = options;
    const { path, clock, log } = options;
    this.#sessions = new ConsoleSessions(readSessions(path, clock(), log));
    this.#watch();
  }

  /** A link that signs one browser in. What follows its `#` is in no request and in no log of anybody's. */
  newLink(): WireConsoleLink {
    const code = newSecret();
    const until = this.#codes.add(code, this.#options.clock());
    return {
      url: `${this.#options.address().url}/#sign-in=${code}`,
      expires_at: new Date(until).toISOString(),
    };
  }

  /** @throws {LeoError} `unauthorized` for a code that is wrong, used or over. */
  signIn(code: string): SignedIn {
    const now = this.#options.clock();
    if (!this.#codes.redeem(code, now)) {
      throw new LeoError(
        'unauthorized',
        'this link is not valid, or not any more: it works once, for a minute; make another: leo web. If it was new and you did not use it, sign everybody out: leo web --sign-out',
      );
    }
    const secrets = { cookie: newSecret(), header: newSecret() };
    const { createdAt } = this.#sessions.open(secrets, now);
    this.#options.log('the console: a browser has signed in');
    this.#changed('expired');
    const cookie = givenCookie(this.#options.address().port, secrets.cookie, maxAgeMs / 1000);
    return { cookie, csrf: secrets.header, until: createdAt + maxAgeMs };
  }

  /**
   * Whose a request is that shows a session.
   *
   * @throws {LeoError} `unauthorized`.
   */
  principalOf(shown: Shown): Principal {
    const now = this.#options.clock();
    const session = this.#sessions.find(shown, now);
    if (session === undefined)
      throw new LeoError(
        'unauthorized',
        'this browser is not signed in to the console, or not any more: leo web',
      );
    if (this.#sessions.use(session.id, now)) this.#write();
    return { role: 'console', name: 'console', proof: session.id };
  }

  /** Whether a caller that was let in would still be. */
  holds({ proof }: Principal): boolean {
    return proof !== null && this.#sessions.holds(proof, this.#options.clock());
  }

  /** Ends one session; gives the value of Set-Cookie that takes the cookie away. */
  signOut({ proof }: Principal): string {
    if (proof !== null && this.#sessions.close(proof)) {
      this.#options.log('the console: a browser has signed out');
      this.#changed('left');
    }
    return takenCookie(this.#options.address().port);
  }

  /** Ends every session and every link; tells how many sessions there were. */
  signOutAll(): number {
    this.#codes.clear();
    const ended = this.#sessions.clear();
    this.#options.log(`the console: every browser is signed out (${ended})`);
    this.#changed('left');
    return ended;
  }

  close(): void {
    clearTimeout(this.#sweeper);
  }

  /** The sessions are others now. */
  #changed(how: 'left' | 'expired'): void {
    this.#options.end(how);
    this.#write();
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#sweeper);
    if (this.#sessions.list.length === 0) return;
    this.#sweeper = setTimeout(() => this.#sweep(), sweepEveryMs);
    this.#sweeper.unref();
  }

  #sweep(): void {
    const now = this.#options.clock();
    // A page that lies open uses its session, though it asks nothing.
    const used = this.#options.streaming().map((id) => this.#sessions.use(id, now));
    const ended = this.#sessions.sweep(now);
    if (ended) this.#changed('expired');
    else if (used.includes(true)) this.#write();
    this.#watch();
  }

  #write(): void {
    const { path, log } = this.#options;
    try {
      writeSessions(path, this.#sessions.list);
    } catch (error) {
      // They count for this run all the same.
      log(`warning: ${path} is not written: ${error instanceof Error ? error.message : error}`);
    }
  }
}
