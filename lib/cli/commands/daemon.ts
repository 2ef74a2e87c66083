// `leo daemon`: the broker in the foreground, until SIGTERM or SIGINT.

import type { Command } from 'commander';
import { placesOf } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { CliError, misuse } from '../failure.js';

export function addDaemonCommand(program: Command): void {
  program
    .command('daemon')
    .description('run the broker in the foreground')
    .option(
      '--port <n>',
      'TCP port on the loopback addresses; 0 takes a free one (default: web.port of leo.yaml)',
    )
    .action(async ({ port }: { port?: string }) => {
      const wanted = port === undefined ? {} : { port: parsePort(port) };
      const { DaemonError, runDaemon } = await import('../../broker/daemon.js');
      // A log that nobody reads any more, or whose terminal was closed, is no reason to end.
      process.stderr.on('error', () => undefined);
      try {
        process.exitCode = await runDaemon({
          places: placesOf(process.env),
          ...wanted,
          log: (line) => process.stderr.write(`${line}\n`),
        });
      } catch (error) {
        if (error instanceof DaemonError || error instanceof PlaceError)
          throw new CliError(error.message, 1, { cause: error });
        throw error;
      }
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw misuse(`--port ${text}: not a port; give 0 to 65535`);
  return port;
}
