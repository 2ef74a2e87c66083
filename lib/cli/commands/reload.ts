// `leo reload`: the running daemon reads leo.yaml and the tokens again.

import type { Command } from 'commander';
import { daemonAddress } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say, sayJson } from '../output.js';
import { reloadDaemon } from '../reload-daemon.js';

export function addReloadCommand(program: Command): void {
  program
    .command('reload')
    .description('have the daemon read leo.yaml and the tokens again')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA leo.yaml that cannot be used changes nothing, and the line is named. SIGHUP to the daemon does the same.',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const address = daemonAddress(process.env);
      const warnings = await reloadDaemon(address).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        if (json) sayJson({ reloaded: false, error: error.message });
        // With a cause, no daemon was reached.
        if (error.cause !== undefined) throw error;
        throw new CliError(`the old settings stay: ${error.message}`);
      });
      if (json) return sayJson({ reloaded: true, warnings });
      for (const warning of warnings) process.stderr.write(`leo: warning: ${warning}\n`);
      say('leo.yaml and the tokens are read again. A changed web.port or web.bind waits for a restart.');
    });
}
