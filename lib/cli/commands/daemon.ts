// `leo daemon`: the broker in the foreground, until SIGTERM or SIGINT.

import { type Command, Option } from 'commander';
import type { Config } from '../../config/config.js';
import { daemonExit, exitCodeFor, startedBy } from '../../config/daemon-exit.js';
import { failureLine, type LogOptions } from '../../config/log-line.js';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../../config/log-options.js';
import { placesOf } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { misuse } from '../failure.js';
import { beginAnewIfLarge } from '../logs/begin-anew.js';
import { wantsTime } from '../logs/wants-time.js';

const codes = {
  running: daemonExit.running,
  config: daemonExit.config,
  place: daemonExit.config,
  address: daemonExit.failed,
};

export function addDaemonCommand(program: Command): void {
  program
    .command('daemon')
    .description('run the broker in the foreground')
    .option(
      '--port <n>',
      'TCP port on the loopback addresses; 0 takes a free one (default: web.port of leo.yaml)',
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'the least that the log has (default: daemon.log_level, else info)',
      ).choices([...logLevels]),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'how the log is written (default: daemon.log_format, else pretty)',
      ).choices([...logFormats]),
    )
    .addHelpText(
      'after',
      [
        '',
        'It writes its log to stderr. leo service install has it run by itself.',
        `Exit codes: 0 told to end; 1 failed, and may not the next time; 2 misused; ${daemonExit.running} another daemon has this`,
        `LEO_HOME; ${daemonExit.config} leo.yaml, or a file of LEO_HOME, cannot be used.`,
      ].join('\n'),
    )
    .action(async ({ port, ...log }: { port?: string; logLevel?: LogLevel; logFormat?: LogFormat }) => {
      const wanted = port === undefined ? {} : { port: parsePort(port) };
      const timed = wantsTime(process.stderr.fd);
      const logAs = ({ logLevel, logFormat }: Partial<Config['daemon']>): LogOptions => ({
        level: log.logLevel ?? logLevel ?? 'info',
        format: log.logFormat ?? logFormat ?? 'pretty',
        timed,
      });
      // Of a start that leo.yaml fails, only the command line says how to write it.
      let how = logAs({});
      const { DaemonError, runDaemon } = await import('../../broker/daemon.js');
      if (startedBy(process.env) === 'launchd') beginAnewIfLarge(process.stderr.fd);
      // A log that nobody reads any more, or whose terminal was closed, is no reason to end.
      process.stderr.on('error', () => undefined);
      try {
        process.exitCode = await runDaemon({
          places: placesOf(process.env),
          ...wanted,
          logAs: (said) => {
            how = logAs(said);
            return how;
          },
          write: (text) => process.stderr.write(text),
        });
      } catch (error) {
        if (!(error instanceof DaemonError || error instanceof PlaceError)) throw error;
        process.stderr.write(failureLine(error.message, Date.now(), how));
        const kind = error instanceof DaemonError ? error.kind : 'place';
        process.exitCode = exitCodeFor(codes[kind], startedBy(process.env));
      }
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw misuse(`--port ${text}: not a port; give 0 to 65535`);
  return port;
}
