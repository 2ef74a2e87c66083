// After a start: the daemon that answers, or why none does.

import { daemonExit, exitInWords } from '../../config/daemon-exit.js';
import type { Manager } from '../../service/description.js';
import type { ServiceState } from '../../service/service-state.js';
import { say } from '../output.js';
import { daemonOfService } from './daemon-outside.js';
import { type ServicePlace, serviceState } from './place.js';

/** @throws {CliError} where the service has failed, or takes too long. */
export async function sayStarted(place: ServicePlace): Promise<void> {
  const daemon = await daemonOfService(place, async () => {
    const why = whyNot(await serviceState(place), place.service.manager);
    return why === undefined
      ? undefined
      : `the daemon does not run: ${why}; see: leo doctor, or leo service logs`;
  });
  say(`The daemon runs: Leo ${daemon.version}, pid ${daemon.pid}. See it: leo service status`);
}

/** Why no daemon will come; undefined while one may. Pure. */
export function whyNot({ activity, lastExit, words }: ServiceState, manager: Manager): string | undefined {
  if (activity === 'running') return undefined;
  if (activity === 'starting')
    return lastExit ? `${exitInWords(lastExit)}; ${manager} tries again` : undefined;
  if (lastExit === undefined) return activity === 'failed' ? `the manager says: ${words}` : undefined;
  // Under launchd, this is also how the daemon ends where no start could help (config/daemon-exit.ts).
  if (manager === 'launchd' && lastExit === daemonExit.ended)
    return 'it has ended, and not by a crash: stopped, or another daemon has this LEO_HOME, or leo.yaml cannot be used';
  return exitInWords(lastExit);
}
