// What was refused: counted by its code, and written down, so that an operator finds out who was turned away and why.
//
// What must stay true: a line has the code, the route and the role, not the error's message nor the path as it came, which
// may hold what the caller sent; a caller who keeps trying does not fill the log.

import type { LeoError } from '../../wire/errors.js';
import type { Clock } from '../clock.js';

/** What is told of a request. */
export interface Refused {
  readonly method: string;
  /** As in the table of routes. */
  readonly route?: string | undefined;
  readonly role?: string | undefined;
}

export interface RefusalsOptions {
  readonly clock: Clock;
  readonly count: (code: string) => void;
  readonly log: (line: string) => void;
  readonly debug?: (line: string) => void;
}

/** For how long the same is not told again at the level of information, in milliseconds. */
const quietMs = 60_000;

export class Refusals {
  /** When each line was told. As many as there are methods, routes and roles, at most. */
  readonly #toldAt = new Map<string, number>();

  constructor(private readonly options: RefusalsOptions) {}

  refused({ code }: LeoError, { method, route = 'no route', role = 'unknown' }: Refused): void {
    const { clock, count, log, debug } = this.options;
    count(code);
    const line = `refused: ${code} ${method} ${route} ${role}`;
    // What else is wrong with a request, its sender is told and can mend.
    const ofAccess = code === 'unauthorized' || code === 'forbidden';
    const now = clock();
    if (!ofAccess || now - (this.#toldAt.get(line) ?? -quietMs) < quietMs) return debug?.(line);
    this.#toldAt.set(line, now);
    log(line);
  }
}
