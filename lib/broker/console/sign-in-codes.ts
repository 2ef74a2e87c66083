// The codes of the links that `leo web` makes. Pure but for its own table; the time comes in.
//
// What must stay true: a code signs in once, within a minute, or never; only its hash is kept, and in memory
// alone; guesses are bounded, after which every link is void.

import { timingSafeEqual } from 'node:crypto';
import { hashOf } from './secrets.js';

/** How long a link may lie unused, in milliseconds. */
export const codeLifeMs = 60_000;
/** Links beyond this many push out the oldest. */
const maxCodes = 8;
/** How many wrong codes may be tried while a link is out. */
export const maxWrongCodes = 64;

interface Code {
  readonly hash: Buffer;
  readonly until: number;
}

export class SignInCodes {
  #codes: readonly Code[] = [];
  #wrong = 0;

  /** Takes in the code of a new link; gives the time at which it ends, in epoch milliseconds. */
  add(code: string, now: number): number {
    const until = now + codeLifeMs;
    this.#forgetPast(now);
    this.#codes = [...this.#codes.slice(-(maxCodes - 1)), { hash: hashOf(code), until }];
    return until;
  }

  /** Whether a code signs in; from then on it does not any more. */
  redeem(code: string, now: number): boolean {
    this.#forgetPast(now);
    const hash = hashOf(code);
    const [found] = this.#codes.filter((one) => timingSafeEqual(one.hash, hash));
    if (found !== undefined) {
      this.#codes = this.#codes.filter((one) => one !== found);
      return true;
    }
    if (this.#codes.length > 0 && ++this.#wrong >= maxWrongCodes) this.clear();
    return false;
  }

  /** Makes every link void. */
  clear(): void {
    this.#codes = [];
    this.#wrong = 0;
  }

  #forgetPast(now: number): void {
    this.#codes = this.#codes.filter((one) => one.until > now);
    if (this.#codes.length === 0) this.#wrong = 0;
  }
}
