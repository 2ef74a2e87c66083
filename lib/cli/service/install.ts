// `leo service install`: the daemon as a service of this user, started now and at every login.

import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ownFolder, privateFolder } from '../../config/folders.js';
import type { Places } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { CliError, misuse } from '../failure.js';
import { say } from '../output.js';

interface Options {
  readonly dryRun?: boolean;
  readonly start: boolean;
  readonly harden?: boolean;
}

export function addInstallCommand(service: Command): void {
  service
    .command('install')
    .description('run the daemon as a service of systemd or launchd, from now on and at every login')
    .option('--no-start', 'only install it; it starts with the next login, or by leo service start')
    .option(
      '--harden',
      'systemd: deny the daemon, and the agents that it starts, new privileges and namespaces',
    )
    .option('--dry-run', 'print the unit, and say what would be done')
    .addHelpText(
      'after',
      '\nA second time, it writes the unit anew and restarts the daemon: after Leo or Node has moved, or PATH has changed.',
    )
    .action(async ({ dryRun, start, harden }: Options) => {
      const [
        { orFailure, servicePlace },
        { perform, sayPlan, undoInstall },
        { makeRoom },
        { sayStarted },
        unit,
        { lingers },
      ] = await Promise.all([
        import('./place.js'),
        import('./perform.js'),
        import('./daemon-outside.js'),
        import('./started.js'),
        import('../../service/systemd-unit.js'),
        import('../../service/lingers.js'),
      ]);
      const place = servicePlace(harden);
      if (harden && place.service.manager !== 'systemd')
        throw misuse('--harden is for systemd: launchd has nothing like it');
      const { service, commands, address } = place;
      const [node, leo] = service.command;
      const { manager, name, variables } = service;
      const file = { manager, name, file: service.file, node, leo, path: variables.PATH };
      const steps = [
        {
          kind: 'write',
          path: service.file,
          text: orFailure(() => commands.text(service)),
          mode: 0o644,
        } as const,
        // Before the daemon of a gateway ends: from here on no gateway starts another.
        {
          kind: 'write',
          path: address.places.serviceFile,
          text: `${JSON.stringify(file, null, 2)}\n`,
          mode: 0o600,
        } as const,
        ...(start ? await makeRoom(place, 'leo service install') : []),
        ...commands.installed(service, start),
      ];
      if (dryRun) return sayPlan(steps);
      const before = existsSync(service.file) ? readFileSync(service.file, 'utf8') : undefined;
      privateHome(address.places);
      try {
        await perform(steps, place);
      } catch (error) {
        if (before === undefined) await undoInstall(place);
        throw error;
      }
      say(`The service is installed: ${service.file}`);
      if (!harden && before !== undefined && unit.isHardened(before))
        say('It is hardened no more. To have it so again: leo service install --harden');
      if (start) await sayStarted(place);
      if (service.manager === 'systemd' && !lingers())
        say(
          'It runs while you are logged in. To have it from boot on, and after you log out: loginctl enable-linger',
        );
    });
}

/**
 * The folders that the service's own files need, before a daemon has ever made them.
 *
 * @throws {CliError} with the command that mends it, where one is not as it must be.
 */
function privateHome({ home, state }: Places): void {
  try {
    privateFolder(home);
    ownFolder(state);
  } catch (error) {
    if (error instanceof PlaceError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}
