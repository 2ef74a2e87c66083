// What `leo service uninstall --purge` removes: everything that Leo itself has written into LEO_HOME, which is all below
// state/. What the user has written, leo.yaml above all, stays, and is named. Asked before it is done.
//
// Refused where something would be left without its daemon: an agent that runs, a daemon outside the service.

import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Tmux, TmuxError, tmuxOn } from '../../broker/tmux/run-tmux.js';
import { tmuxServerName } from '../../broker/tmux/server-name.js';
import { CliError, misuse } from '../failure.js';
import { say } from '../output.js';
import { daemonOutside } from './daemon-outside.js';
import type { ServicePlace } from './place.js';

export interface Purge {
  readonly home: string;
  readonly state: string;
  /** What is in it, relative to home. */
  readonly files: readonly string[];
  /** The socket, where it lies elsewhere. */
  readonly socket: string | undefined;
  /** Of the user, and left. */
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
  const outside = await daemonOutside(place);
  if (outside !== undefined)
    throw new CliError(
      `a daemon runs outside the service; end it first${outside.pid === undefined ? '' : `: kill ${outside.pid}`}`,
    );
  const server = tmuxServerName(places.home, process.env);
  const panes = await agentPanes(server);
  const alive = panes.filter(({ ended }) => !ended);
  if (alive.length > 0)
    throw new CliError(
      `${alive.length === 1 ? 'an agent runs' : `${alive.length} agents run`} in tmux (${alive.map(({ name }) => name).join(', ')}); stop ${alive.length === 1 ? 'it' : 'each'} first: leo agent stop NAME; or all, without the daemon: tmux -L ${server} kill-server`,
    );
  return {
    home: places.home,
    state: places.state,
    files: namesBelow(places.state).map((name) => join('state', name)),
    socket: places.socketFolder === places.state || !existsSync(places.socket) ? undefined : places.socket,
    kept: namesIn(places.home)
      .filter((name) => name !== 'state')
      .map((name) => join(places.home, name)),
    harnesses: await harnessesSetUp(places.harnessSetup),
    tmux: panes.length > 0 ? server : undefined,
  };
}

export function sayPurge({ home, state, files, socket, kept, harnesses, tmux }: Purge): void {
  const more = files.length - namesSaid;
  say(
    files.length === 0
      ? `Nothing of Leo is in ${state}.`
      : `Of ${home}, this is removed for good, with all tokens that were handed out:`,
    ...files.slice(0, namesSaid).map((name) => `  ${name}`),
    ...(more > 0 ? [`  and ${more} more in ${state}`] : []),
    ...(socket === undefined ? [] : [`and the socket ${socket}`]),
    ...(tmux === undefined ? [] : [`and the screens of agents that have ended: tmux -L ${tmux} kill-server`]),
    ...(kept.length === 0
      ? []
      : ['This is yours and stays; remove it yourself if you like:', ...kept.map((path) => `  ${path}`)]),
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

export async function purgeState({ home, state, socket, tmux }: Purge): Promise<void> {
  if (tmux !== undefined) await orGone(tmuxOn({ server: tmux, env: process.env })(['kill-server']));
  if (socket !== undefined) rmSync(socket, { force: true });
  rmSync(state, { recursive: true, force: true });
  const left = namesIn(home);
  if (left.length === 0 && existsSync(home)) rmdirSync(home);
  say(left.length === 0 ? `${home} is removed.` : `${state} is removed; ${left.join(', ')} stay in ${home}.`);
}

interface AgentPane {
  readonly name: string;
  readonly ended: boolean;
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
  const { readRecords } = await import('../../setup/disk/record.js');
  try {
    return [...new Set(Object.values(readRecords(records)).map(({ harness }) => harness))].sort();
  } catch {
    return []; // A file that nobody can read puts nothing back either.
  }
}

/** Files and folders below a folder, relative to it, folders with a slash. */
function namesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => (lstatSync(join(folder, name)).isDirectory() ? `${name}/` : name))
    .sort();
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
