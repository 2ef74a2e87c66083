// The options of the commands that print a log.

import type { Command } from 'commander';
import { misuse } from '../failure.js';

export interface LogOptions {
  readonly n: string;
  readonly follow?: boolean;
}

export function withLogOptions(command: Command): Command {
  return command
    .option('-n <lines>', 'only the last lines', '100')
    .option('--follow', 'go on printing what is added, until Ctrl-C');
}

/** How many lines are asked for. */
export function linesOf({ n }: LogOptions): number {
  if (!/^\d{1,6}$/.test(n)) throw misuse(`-n ${n}: not a number of lines`);
  return Number(n);
}
