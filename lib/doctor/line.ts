// What the doctor says: one line for each thing that it has looked at.

/** What a line is about. */
export type Check =
  | 'node'
  | 'home'
  | 'config'
  | 'socket'
  | 'daemon'
  | 'service'
  | 'port'
  | 'versions'
  | 'tokens'
  | 'tmux'
  | 'harness'
  | 'apps';

/** `warn`: works, but not as it could. `fail`: does not work, or lets others in. */
export type Status = 'pass' | 'warn' | 'fail';

export interface Line {
  readonly check: Check;
  readonly status: Status;
  readonly text: string;
  /** The command that mends it; null where nothing is to be mended, or no command does it. */
  readonly mend: string | null;
}

export function pass(check: Check, text: string): Line {
  return { check, status: 'pass', text, mend: null };
}

export function warn(check: Check, text: string, mend: string | null = null): Line {
  return { check, status: 'warn', text, mend };
}

export function fail(check: Check, text: string, mend: string | null = null): Line {
  return { check, status: 'fail', text, mend };
}
