// The service of this process's LEO_HOME, and the manager that runs it. What the service commands share.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeService, type Manager, type ServiceDescription } from '../../service/description.js';
import { launchd } from '../../service/launchd.js';
import { runProgram } from '../../service/run-program.js';
import { ServiceError } from '../../service/service-error.js';
import type { ServiceCommands, ServiceState } from '../../service/service-state.js';
import { systemd } from '../../service/systemd.js';
import { type DaemonAddress, daemonAddress } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { installation } from '../harness/place.js';

export interface ServicePlace {
  readonly address: DaemonAddress;
  readonly service: ServiceDescription;
  readonly commands: ServiceCommands;
  /** The environment of the manager's programs. */
  readonly env: NodeJS.ProcessEnv;
}

/** @throws {CliError} on a system with neither manager. */
export function servicePlace(hardened = false): ServicePlace {
  const address = daemonAddress(process.env);
  const manager = managerHere();
  const { node, leo } = installation();
  const around = {
    manager,
    node,
    leo,
    places: address.places,
    env: process.env,
    userHome: homedir(),
    hardened,
  };
  const uid = process.getuid?.() ?? 0;
  return {
    address,
    service: describeService(around),
    commands: manager === 'systemd' ? systemd : launchd(uid),
    env: withRuntimeFolder(process.env, uid),
  };
}

function managerHere(): Manager {
  const said = process.env.LEO_SERVICE_MANAGER;
  if (said === 'systemd' || said === 'launchd') return said;
  if (said) throw misuse(`LEO_SERVICE_MANAGER=${said}: give systemd or launchd`);
  if (process.platform === 'darwin') return 'launchd';
  if (process.platform === 'linux') return 'systemd';
  throw new CliError(
    `Leo knows the services of systemd and launchd; on ${process.platform}, have your own run \`leo daemon\``,
  );
}

/** Where systemd's user manager is reached: a shell by `su` was not told. */
function withRuntimeFolder(env: NodeJS.ProcessEnv, uid: number): NodeJS.ProcessEnv {
  const folder = join('/run/user', String(uid));
  return env.XDG_RUNTIME_DIR === undefined && existsSync(folder) ? { ...env, XDG_RUNTIME_DIR: folder } : env;
}

/** @throws {CliError} where it is not installed. */
export function mustBeInstalled({ service }: ServicePlace): void {
  if (!existsSync(service.file))
    throw new CliError(`the service is not installed (${service.file}); install it: leo service install`);
}

/** @throws {CliError} where the manager does not say. */
export async function serviceState({ service, commands, env }: ServicePlace): Promise<ServiceState> {
  const question = commands.askState(service);
  const ran = await runProgram(question, env);
  const state = commands.readState(ran);
  if (state === undefined) throw new CliError(commands.fault(question, ran));
  return state;
}

/** Says what kept a service from being described. */
export function orFailure<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}
