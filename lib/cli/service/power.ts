// `leo service start`, `stop` and `restart`. None of them takes an agent away: those run in tmux, and the next daemon finds
// them again.

import type { Command } from 'commander';
import { say } from '../output.js';

interface Options {
  readonly dryRun?: boolean;
}

export function addStartCommand(service: Command): void {
  service
    .command('start')
    .description('start the daemon as a service, and wait until it answers')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async ({ dryRun }: Options) => {
      const [{ mustBeInstalled, servicePlace, serviceState }, { perform, sayPlan }, { makeRoom }, started] =
        await parts();
      const place = servicePlace();
      mustBeInstalled(place);
      const room = await makeRoom(place, 'leo service start');
      const state = await serviceState(place);
      const steps = [...room, ...place.commands.start(place.service, state)];
      if (dryRun) return sayPlan(steps);
      await perform(steps, place);
      await started.sayStarted(place);
    });
}

export function addStopCommand(service: Command): void {
  service
    .command('stop')
    .description('stop the daemon; agents that Leo has started go on, and gateways wait for the next one')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async ({ dryRun }: Options) => {
      const [{ mustBeInstalled, servicePlace }, { perform, sayPlan }, { daemonOutside }] = await parts();
      const place = servicePlace();
      mustBeInstalled(place);
      const steps = place.commands.stop(place.service);
      if (dryRun) return sayPlan(steps);
      const outside = await daemonOutside(place);
      await perform(steps, place);
      if (outside === undefined) say('The daemon is stopped. Start it: leo service start');
      else say(`The service is stopped. A daemon outside it still runs; ${outside.mend}`);
    });
}

export function addRestartCommand(service: Command): void {
  service
    .command('restart')
    .description('start the daemon anew; no agent and no call is lost')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action(async ({ dryRun }: Options) => {
      const [{ mustBeInstalled, servicePlace }, { perform, sayPlan }, { makeRoom }, started] = await parts();
      const place = servicePlace();
      mustBeInstalled(place);
      const room = await makeRoom(place, 'leo service restart');
      const steps = [...room, ...place.commands.restart(place.service)];
      if (dryRun) return sayPlan(steps);
      await perform(steps, place);
      await started.sayStarted(place);
    });
}

function parts() {
  return Promise.all([
    import('./place.js'),
    import('./perform.js'),
    import('./daemon-outside.js'),
    import('./started.js'),
  ]);
}
