// A daemon of this home that the service did not start: while it runs, the service cannot.

import { readDaemonFile } from '../../config/daemon-file.js';
import type { Step } from '../../service/steps.js';
import { ask, type DaemonAddress, daemonAddress, isNoDaemon, isSilent } from '../daemon-client.js';
import { CliError } from '../failure.js';
import type { ServicePlace } from './place.js';

export interface DaemonOutside {
  readonly pid: number | undefined;
  /** Whether a gateway started it, so that nobody misses it once the service is there. */
  readonly byGateway: boolean;
  /** What ends it, as a person would type it: one that hangs does not hear SIGTERM. */
  readonly mend: string;
}

/**
 * A daemon of the service that hangs is none outside: the manager can end it.
 *
 * @throws {CliError} where it cannot be asked, because it is another user's, say.
 */
export async function daemonOutside({ address, service }: ServicePlace): Promise<DaemonOutside | undefined> {
  const found = await listenerAt(address);
  if (found === 'nobody') return undefined;
  const file = readDaemonFile(address.places.daemonFile);
  if (file?.started_by === service.manager) return undefined;
  const pid = file?.pid;
  const kill = found === 'silent' ? 'kill -9' : 'kill';
  return {
    pid,
    byGateway: file?.started_by === 'gateway',
    mend: pid === undefined ? 'end it' : `end it: ${kill} ${pid}`,
  };
}

async function listenerAt(address: DaemonAddress): Promise<'daemon' | 'silent' | 'nobody'> {
  try {
    await ask(address, '/health');
    return 'daemon';
  } catch (error) {
    if (isNoDaemon(error)) return 'nobody';
    if (isSilent(error)) return 'silent';
    throw error;
  }
}

/**
 * How a daemon outside makes room for the service.
 *
 * @param then the command that the user gave.
 * @throws {CliError} where a person has to end it: it is in somebody's terminal, or somebody's script.
 */
export async function makeRoom(place: ServicePlace, then: string): Promise<readonly Step[]> {
  const outside = await daemonOutside(place);
  if (outside === undefined) return [];
  const { pid, byGateway, mend } = outside;
  if (byGateway && pid !== undefined) return [{ kind: 'end daemon', pid }];
  throw new CliError(
    `a daemon runs already outside the service, started by hand${pid === undefined ? '' : ` (pid ${pid})`}; ${mend}; then: ${then}`,
  );
}

/**
 * Waits until the service's daemon answers.
 *
 * @param failed asked in between; what it gives says why the daemon will not come.
 * @returns its pid and version.
 */
export async function daemonOfService(
  place: ServicePlace,
  failed: () => Promise<string | undefined>,
): Promise<{ readonly pid: number; readonly version: string }> {
  const end = Date.now() + startWithinMs;
  for (let look = 1; ; look++) {
    const found = await serving(place);
    if (found !== undefined) return found;
    // Asking the manager costs a process.
    const why = look % 5 === 0 || Date.now() > end ? await failed() : undefined;
    if (why !== undefined) throw new CliError(why);
    if (Date.now() > end)
      throw new CliError(
        `the service was started, and no daemon answers after ${startWithinMs / 1000} s; see: leo doctor, or leo service logs`,
      );
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** How long the daemon may take to answer, in milliseconds: a start after a crash waits for its turn. */
const startWithinMs = 45_000;
const lookEveryMs = 100;

async function serving({ service }: ServicePlace) {
  // The socket may be another one than before.
  const address = daemonAddress(process.env);
  try {
    await ask(address, '/health');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return undefined;
  }
  const { file } = address;
  return file?.started_by === service.manager ? { pid: file.pid, version: file.version } : undefined;
}
