// `leo service logs`: the log of the daemon that the service runs, or has run.

import type { Command } from 'commander';
import { type LogOptions, linesOf, withLogOptions } from '../logs/options.js';

export function addLogsCommand(service: Command): void {
  withLogOptions(service.command('logs').description("print the log of the service's daemon")).action(
    async (options: LogOptions) => {
      const lines = linesOf(options);
      const [{ mustBeInstalled, servicePlace }, { logOfService }, { showLog }] = await Promise.all([
        import('./place.js'),
        import('../logs/log-source.js'),
        import('../logs/show-log.js'),
      ]);
      const place = servicePlace();
      mustBeInstalled(place);
      await showLog(logOfService(place.service), { lines, follow: options.follow === true }, place.env);
    },
  );
}
