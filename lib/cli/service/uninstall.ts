// `leo service uninstall`: takes the service away, and with --purge what the daemon has written.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Step } from '../../service/steps.js';
import { CliError } from '../failure.js';
import { say } from '../output.js';
import type { ServicePlace } from './place.js';

interface Options {
  readonly purge?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addUninstallCommand(service: Command): void {
  service
    .command('uninstall')
    .description('stop the daemon and take the service away; --purge removes its state, too')
    .option('--purge', 'also remove the folder state/ of LEO_HOME: tokens, agents, the log; not leo.yaml')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'say what would be done and removed, and do nothing')
    .action(async ({ purge, yes, dryRun }: Options) => {
      const [{ servicePlace }, { perform, sayPlan }] = await Promise.all([
        import('./place.js'),
        import('./perform.js'),
      ]);
      const place = servicePlace();
      const steps = planOf(place);
      const { planPurge, sayPurge, agreed, purgeState } = await import('./purge.js');
      const plan = purge ? await planPurge(place) : undefined;
      if (dryRun) {
        if (steps.length > 0) sayPlan(steps);
        else say(notThere(place));
        if (plan !== undefined) sayPurge(plan);
        return;
      }
      if (plan !== undefined) {
        sayPurge(plan);
        if (!yes && !(await agreed())) throw new CliError('nothing was removed');
      }
      await perform(steps, place);
      say(steps.length === 0 ? notThere(place) : 'The service is taken away.');
      if (plan !== undefined) await purgeState(plan);
    });
}

/** None where there is no service. */
function planOf({ service, commands, address }: ServicePlace): readonly Step[] {
  const { serviceFile } = address.places;
  const unmark: readonly Step[] = existsSync(serviceFile) ? [{ kind: 'remove', path: serviceFile }] : [];
  if (!existsSync(service.file)) return unmark;
  return [
    ...commands.removing(service),
    { kind: 'remove', path: service.file },
    ...commands.removed,
    ...unmark,
  ];
}

const notThere = ({ service }: ServicePlace) => `There is no service: ${service.file} does not exist.`;
