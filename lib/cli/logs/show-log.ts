// Prints a log, wherever it is.

import { spawn } from 'node:child_process';
import { CliError } from '../failure.js';
import { journalArgs, type LogSource } from './log-source.js';

export interface Wanted {
  readonly lines: number;
  readonly follow: boolean;
}

/** @throws {CliError} where there is none to print. */
export async function showLog(source: LogSource, wanted: Wanted, env: NodeJS.ProcessEnv): Promise<void> {
  switch (source.kind) {
    case 'journal':
      return await showJournal(source.unit, wanted, env);
    case 'file': {
      const { showFile } = await import('./show-file.js');
      return await showFile(source.path, wanted);
    }
    case 'elsewhere':
      throw new CliError(
        `the daemon (pid ${source.pid}) was started by hand: its log is in that terminal, or where its stderr was sent; to keep one: leo service install`,
      );
    case 'none':
      throw new CliError('no daemon has left a log here; run one that does: leo service install');
  }
}

async function showJournal(unit: string, { lines, follow }: Wanted, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('journalctl', journalArgs(unit, lines, follow), { env, stdio: 'inherit' });
  // Ctrl-C is for both: journalctl ends, and so does this.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no journalctl here' : error.message;
      reject(new CliError(`the log is in systemd's journal, and ${why}`, 1, { cause: error }));
    });
    child.once('close', resolve);
  });
  process.off('SIGINT', ignore);
  // It has said why on stderr.
  if (code !== 0 && code !== null) process.exitCode = 1;
}
