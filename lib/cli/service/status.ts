// `leo service status`: what the manager says of the service, and what the daemon says of itself.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readDaemonFile } from '../../config/daemon-file.js';
import { readServiceFile } from '../../config/service-file.js';
import type { ServiceState } from '../../service/service-state.js';
import { type Health, readHealth } from '../answers.js';
import { ask } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say, sayJson } from '../output.js';
import { duration } from '../table.js';
import type { ServicePlace } from './place.js';

/** A daemon that answers, or why none does. */
type Daemon = { readonly health: Health } | { readonly error: string };
/** What the manager says, or why it says nothing: over ssh or su there may be none to ask. */
type Manager = { readonly state: ServiceState | undefined } | { readonly error: string };

export function addStatusCommand(service: Command): void {
  service
    .command('status')
    .description('show what the manager says of the service, and whether its daemon answers')
    .option('--json', 'print JSON')
    .addHelpText('after', "\nExit code 0 where the service's daemon answers, 1 otherwise.")
    .action(async ({ json }: { json?: boolean }) => {
      const { servicePlace } = await import('./place.js');
      const { whyNot } = await import('./started.js');
      const place = servicePlace();
      const { service, address } = place;
      const installed = existsSync(service.file);
      const [manager, daemon] = await Promise.all([managerNow(place, installed), daemonNow(place)]);
      const state = 'state' in manager ? manager.state : undefined;
      const untold = 'error' in manager ? manager.error : undefined;
      const file = readDaemonFile(address.places.daemonFile);
      const ours = 'health' in daemon && file?.started_by === service.manager;
      const why = state && whyNot(state, service.manager);
      const next = nextStep({
        installed,
        ours,
        outside: 'health' in daemon && !ours,
        hangs: 'error' in daemon && state?.activity === 'running',
        gone: missing(place),
      });
      if (json)
        sayJson({
          manager: service.manager,
          name: service.name,
          file: service.file,
          installed,
          enabled: state?.enabled ?? null,
          activity: state?.activity ?? null,
          pid: state?.pid ?? null,
          last_exit: state?.lastExit ?? null,
          error: untold ?? null,
          daemon: {
            running: 'health' in daemon,
            of_service: ours,
            version: 'health' in daemon ? daemon.health.version : null,
            pid: 'health' in daemon ? (file?.pid ?? null) : null,
            uptime_s: 'health' in daemon ? daemon.health.uptime_s : null,
            error: 'error' in daemon ? daemon.error : null,
          },
          next: next ?? null,
        });
      else {
        say(
          `service     ${service.name} (${service.manager}): ${untold ?? (state === undefined ? 'not installed' : inWords(state))}`,
          `${installed ? 'file      ' : 'would be  '}  ${service.file}`,
          `daemon      ${daemonInWords(daemon, file?.pid, ours)}`,
          ...(ours || why === undefined ? [] : [`last end    ${why}`]),
          ...(next === undefined ? [] : ['', next]),
        );
      }
      if (!ours) process.exitCode = 1;
    });
}

async function managerNow(place: ServicePlace, installed: boolean): Promise<Manager> {
  if (!installed) return { state: undefined };
  const { serviceState } = await import('./place.js');
  try {
    return { state: await serviceState(place) };
  } catch (error) {
    if (error instanceof CliError) return { error: error.message };
    throw error;
  }
}

async function daemonNow({ address }: ServicePlace): Promise<Daemon> {
  try {
    return { health: readHealth(await ask(address, '/health')) };
  } catch (error) {
    if (error instanceof CliError) return { error: error.message };
    throw error;
  }
}

function inWords({ enabled, words, pid }: ServiceState): string {
  const atLogin = enabled === undefined ? '' : enabled ? ', starts at login' : ', does not start at login';
  return `${words}${pid === undefined ? '' : `, pid ${pid}`}${atLogin}`;
}

function daemonInWords(daemon: Daemon, pid: number | undefined, ours: boolean): string {
  if ('error' in daemon) return daemon.error;
  const { version, uptime_s } = daemon.health;
  const who = ours ? '' : ', started outside the service';
  return `Leo ${version}, ${pid === undefined ? '' : `pid ${pid}, `}up ${duration(uptime_s)}${who}`;
}

/** What the service starts that is not there any more. */
function missing({ address }: ServicePlace): string | undefined {
  const file = readServiceFile(address.places.serviceFile);
  return file && [file.node, file.leo].find((path) => !existsSync(path));
}

/** The command to type next; undefined where all is well. Pure. */
export function nextStep(now: {
  readonly installed: boolean;
  readonly ours: boolean;
  readonly outside: boolean;
  readonly hangs: boolean;
  readonly gone: string | undefined;
}): string | undefined {
  if (!now.installed) return 'Install it: leo service install';
  if (now.gone !== undefined)
    return `What it starts is gone: ${now.gone}. Install it anew: leo service install`;
  if (now.ours) return undefined;
  if (now.outside) return 'Have the service take over: end the daemon outside it, then: leo service start';
  return `See why: leo doctor, or leo service logs   ${now.hangs ? 'Start it anew: leo service restart' : 'Start it: leo service start'}`;
}
