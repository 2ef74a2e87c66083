// What `leo service uninstall --purge` removes: everything that Leo itself has written into LEO_HOME, which is all below
// state/. What the user has written, leo.yaml above all, stays, and is named. Asked before it is done.
//
// Refused where something would be left without its daemon (an agent that runs, a daemon outside the service) or would
// make the home anew: the gateway of a session starts a daemon. Nothing is removed behind a link.

import { lstatSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Tmux, TmuxError, tmuxOn } from '../../broker/tmux/run-tmux.js';
import { tmuxServerName } from '../../broker/tmux/server-name.js';
import { readAgents } from '../answers.js';
import { ask, isNoDaemon, isSilent } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { say } from '../output.js';
import { daemonOutside } from './daemon-outside.js';
import type { ServicePlace } from './place.js';
import { namesIn, stateFiles } from './state-files.js';

export interface Purge {
  readonly place: ServicePlace;
  /** What is removed, whole, and all that is in it, relative to home. */
  readonly removed: readonly string[];
  readonly listed: readonly string[];
  /** The socket, where it lies elsewhere. */
  readonly socket: string | undefined;
  /** Not Leo's, and left. */
  readonly kept: readonly string[];
  /** Harnesses whose files still name Leo. */
  readonly harnesses: readonly string[];
  /** The tmux server that has nothing but ended agents in it. */
  readonly tmux: string | undefined;
}

/** Names listed before the rest is only counted. */
const namesSaid = 40;

/** @throws {CliError} where something still needs what would be removed. */
export async function planPurge(place: ServicePlace): Promise<Purge> {
  const { places } = place.address;
  const { home, state, socket } = places;
  for (const path of [home, state]) {
    if (isThere(path) && !lstatSync(path).isDirectory())
      throw new CliError(`${path} is no folder of Leo's own; nothing is removed behind it`);
  }
  await mustHaveNoDaemonOutside(place);
  const server = tmuxServerName(home, process.env);
  const panes = await agentPanes(server);
  mustHaveEnded(panes, server);
  await mustHaveNoSessions(place);
  const { leos, others, listed } = stateFiles(places);
  return {
    place,
    removed: leos.map((name) => join('state', name)),
    listed: listed.map((name) => `state/${name}`),
    socket: places.socketFolder === state || !isThere(socket) ? undefined : socket,
    kept: [
      ...namesIn(home).filter((name) => name !== 'state'),
      ...others.map((name) => join('state', name)),
    ].map((name) => join(home, name)),
    harnesses: await harnessesSetUp(places.harnessSetup),
    tmux: panes.length > 0 ? server : undefined,
  };
}

export function sayPurge({ place, listed, socket, kept, harnesses, tmux }: Purge): void {
  const { home, state } = place.address.places;
  const more = listed.length - namesSaid;
  say(
    listed.length === 0
      ? `Nothing of Leo is in ${state}.`
      : `Of ${home}, this is removed for good, with all tokens that were handed out:`,
    ...listed.slice(0, namesSaid).map((name) => `  ${name}`),
    ...(more > 0 ? [`  and ${more} more in ${state}`] : []),
    ...(socket === undefined ? [] : [`and the socket ${socket}`]),
    ...(tmux === undefined ? [] : [`and the screens of agents that have ended: tmux -L ${tmux} kill-server`]),
    ...(kept.length === 0
      ? []
      : ["This is not Leo's and stays; remove it yourself if you like:", ...kept.map((path) => `  ${path}`)]),
    ...(harnesses.length === 0
      ? []
      : [
          'These still start Leo, and what puts their files back as they were is removed, too. First:',
          ...harnesses.map((name) => `  leo harness remove ${name}`),
        ]),
  );
}

/** Asks on the terminal. */
export async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw misuse('nothing was removed: there is no terminal to ask on; add --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question('Remove it? Type yes: ');
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

/** @throws {CliError} where a daemon has come meanwhile, or a file cannot be removed. */
export async function purgeState({ place, removed, socket, kept, tmux }: Purge): Promise<void> {
  const { home, state, socketFolder } = place.address.places;
  await mustHaveNoDaemonOutside(place);
  if (tmux !== undefined) await orGone(tmuxOn({ server: tmux, env: process.env })(['kill-server']));
  try {
    if (socket !== undefined) rmSync(socket, { force: true });
    // A link is removed as one, not what it leads to.
    for (const name of removed) rmSync(join(home, name), { recursive: true, force: true });
    for (const folder of [socketFolder, state, home]) removeIfEmpty(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new CliError(`not all of ${state} was removed: ${why}`, 1, { cause: error });
  }
  say(
    kept.length === 0
      ? `${home} is removed.`
      : `All that Leo wrote into ${state} is removed; this stays: ${kept.join(', ')}`,
  );
}

function removeIfEmpty(folder: string): void {
  if (isThere(folder) && namesIn(folder).length === 0) rmdirSync(folder);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function mustHaveNoDaemonOutside(place: ServicePlace): Promise<void> {
  const outside = await daemonOutside(place);
  if (outside !== undefined)
    throw new CliError(`a daemon runs outside the service, and nothing was purged; ${outside.mend}`);
}

async function mustHaveNoSessions({ address }: ServicePlace): Promise<void> {
  const names = await ask(address, '/api/v1/agents').then(
    (data) => readAgents(data).agents.flatMap(({ name, sessions }) => (sessions > 0 ? [name] : [])),
    (error: unknown) => {
      // One that hangs does not say.
      if (isNoDaemon(error) || isSilent(error)) return [];
      throw error;
    },
  );
  if (names.length > 0)
    throw new CliError(
      `${names.length === 1 ? 'an agent uses' : `${names.length} agents use`} Leo (${names.join(', ')}), and would start a daemon again; end ${names.length === 1 ? 'its session' : 'their sessions'} first`,
    );
}

interface AgentPane {
  readonly name: string;
  readonly ended: boolean;
}

function mustHaveEnded(panes: readonly AgentPane[], server: string): void {
  const alive = panes.filter(({ ended }) => !ended);
  if (alive.length > 0)
    throw new CliError(
      `${alive.length === 1 ? 'an agent runs' : `${alive.length} agents run`} in tmux (${alive.map(({ name }) => name).join(', ')}); stop ${alive.length === 1 ? 'it' : 'each'} first: leo agent stop NAME; or all, without the daemon: tmux -L ${server} kill-server`,
    );
}

async function agentPanes(server: string): Promise<readonly AgentPane[]> {
  const tmux: Tmux = tmuxOn({ server, env: process.env });
  const out = (await orGone(tmux(['list-panes', '-a', '-F', '#{pane_dead} #{session_name}']))) ?? '';
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ name: line.slice(2), ended: line.startsWith('1') }));
}

async function orGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    if (error.fault === 'gone' || error.fault === 'missing') return undefined;
    throw new CliError(error.message, 1, { cause: error });
  }
}

async function harnessesSetUp(records: string): Promise<readonly string[]> {
  const [{ readRecords }, { SetupError }] = await Promise.all([
    import('../../setup/disk/record.js'),
    import('../../setup/index.js'),
  ]);
  try {
    return [...new Set(Object.values(readRecords(records)).map(({ harness }) => harness))].sort();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return []; // A file that nobody can read puts nothing back either.
  }
}
