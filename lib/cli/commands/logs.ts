// `leo logs`: what the daemon has written, wherever that is.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readServiceFile } from '../../config/service-file.js';
import { daemonAddress } from '../daemon-client.js';
import { type LogOptions, linesOf, withLogOptions } from '../logs/options.js';

export function addLogsCommand(program: Command): void {
  withLogOptions(program.command('logs').description("print the daemon's log, wherever it is"))
    .addHelpText(
      'after',
      '\nA service of systemd logs to the journal, one of launchd and a daemon that a gateway has started to\nstate/daemon.log of LEO_HOME, and one that was started by hand to its stderr, where Leo cannot read it.',
    )
    .action(async (options: LogOptions) => {
      const lines = linesOf(options);
      const [{ logSource }, { showLog }] = await Promise.all([
        import('../logs/log-source.js'),
        import('../logs/show-log.js'),
      ]);
      const { places, file } = daemonAddress(process.env);
      const source = logSource({
        daemon: file,
        service: readServiceFile(places.serviceFile),
        file: places.daemonLog,
        fileExists: existsSync(places.daemonLog),
      });
      await showLog(source, { lines, follow: options.follow === true }, process.env);
    });
}
