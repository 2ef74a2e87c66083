// The panes of supervised agents in tmux: made, listed, ended, and waited on.

import { spawn } from 'node:child_process';
import { lookForEnded } from '../../tmux/reap.js';
import { serverArgs, type Tmux, TmuxError } from '../../tmux/run-tmux.js';
import type { PaneIdentity } from './pane.js';
import { isAlive } from './process-end.js';
import { isSamePane, paneFormat, panesIn, type Seen, type SeenPane } from './recovery.js';

/** What a pane is made of. */
export interface NewPane {
  /** The session's name: tmux has none twice, and so starts no agent twice. */
  readonly session: string;
  readonly cwd: string;
  /** A shell script that becomes the harness. */
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** The variables of `env` that the session takes over; one that is not in it is taken out. */
  readonly names: readonly string[];
}

/** Lines of a pane that can be looked at again. */
const historyLines = 50_000;

/** How often, and after how many milliseconds, a pane is tried again on a server that is just ending. */
const tries = 20;
const pauseMs = 50;

/**
 * Starts a pane in a session of its own.
 *
 * @param replaces a pane that has ended: its session goes in the same moment, since a server without any ends.
 */
export async function makePane(
  tmux: Tmux,
  channel: string,
  pane: NewPane,
  replaces: PaneIdentity | undefined,
): Promise<PaneIdentity> {
  for (let left = tries; ; left--) {
    const before = replaces === undefined ? undefined : await findPane(tmux, replaces);
    try {
      return await newSession(tmux, channel, pane, before?.sessionId);
    } catch (error) {
      // The last session of a server has just been closed: with the next try, there is a new server.
      if (!(error instanceof TmuxError && error.fault === 'gone') || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function newSession(
  tmux: Tmux,
  channel: string,
  pane: NewPane,
  replaces: string | undefined,
): Promise<PaneIdentity> {
  const wake = `wait-for -S ${channel}`;
  const out = await tmux(
    [
      ...(replaces === undefined ? [] : ['kill-session', '-t', replaces, ';']),
      ...['set-option', '-g', 'update-environment', pane.names.join(' '), ';'],
      ...['set-option', '-g', 'default-terminal', 'screen-256color', ';'],
      ...['set-option', '-g', 'history-limit', String(historyLines), ';'],
      // What has ended is still looked at, and how it ended is asked for.
      ...['set-option', '-gw', 'remain-on-exit', 'on', ';'],
      ...['set-hook', '-g', 'pane-died', wake, ';'],
      ...['set-hook', '-g', 'session-closed', wake, ';'],
      ...['new-session', '-d', '-s', pane.session, '-x', '200', '-y', '50'],
      // For windows that a person opens beside it; the script goes to its folder itself. tmux would read these.
      ...(/[#;]/.test(pane.cwd) ? [] : ['-c', pane.cwd]),
      ...['-P', '-F', paneFormat, '--', '/bin/sh', pane.script],
    ],
    undefined,
    pane.env,
  );
  const [made] = panesIn(out);
  if (made === undefined)
    throw new TmuxError('refused', `tmux has not said which pane it made: ${out.trim()}`);
  const { paneId, pid, serverStart } = made;
  return { paneId, pid, serverStart };
}

/** How often tmux is asked again, when it does not know yet how a process has ended. */
const askAgain = 3;

/** @throws {TmuxError} for anything but a server that is not there. */
export async function seenPanes(tmux: Tmux): Promise<Seen> {
  try {
    for (let left = askAgain; ; left--) {
      const panes = panesIn(await tmux(['list-panes', '-a', '-F', paneFormat]));
      const unsure = panes.find(({ dead, exit, pid }) => dead && exit === undefined && isAlive(pid));
      if (unsure === undefined || left === 0) return { kind: 'panes', panes };
      lookForEnded(unsure.serverPid);
    }
  } catch (error) {
    if (error instanceof TmuxError && error.fault === 'gone') return { kind: 'gone' };
    throw error;
  }
}

/**
 * Ends the session of a pane, if the pane is still the one that is meant.
 *
 * @returns the pane, whose process may take its time to go.
 */
export async function endPane(tmux: Tmux, pane: PaneIdentity): Promise<SeenPane | undefined> {
  const found = await findPane(tmux, pane);
  if (found !== undefined) await killSession(tmux, found);
  return found;
}

async function killSession(tmux: Tmux, { sessionId }: SeenPane): Promise<void> {
  try {
    await tmux(['kill-session', '-t', sessionId]);
  } catch (error) {
    // It has gone by itself in between.
    if (!(error instanceof TmuxError && (error.fault === 'gone' || error.fault === 'not_found'))) throw error;
  }
}

async function findPane(tmux: Tmux, pane: PaneIdentity): Promise<SeenPane | undefined> {
  const seen = await seenPanes(tmux);
  return seen.kind === 'gone' ? undefined : seen.panes.find((one) => isSamePane(one, pane));
}

/** How often tmux is made to look for an end that it has missed, in milliseconds. */
const lookForEndedEveryMs = 1000;

/** What is told of a wait. */
export interface PaneEndListener {
  /** From here on, nothing is missed: what has ended before is to be looked for now. */
  readonly ready: () => void;
  /** A pane has died, a session was closed, or the server has ended. */
  readonly over: () => void;
}

/**
 * Waits until something has ended: one tmux client that sleeps. Two signals to a channel on which nobody waits
 * take one another back, so a signal from before says nothing.
 *
 * @returns the function that ends the wait without a word.
 */
export function onPaneEnd(
  server: string,
  channel: string,
  env: NodeJS.ProcessEnv,
  listener: PaneEndListener,
): () => void {
  const args = [...serverArgs(server), 'display-message', '-p', '#{pid}', ';', 'wait-for', channel];
  const child = spawn('tmux', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let over = false;
  let missed: NodeJS.Timeout | undefined;
  const stop = () => {
    over = true;
    clearInterval(missed);
  };
  const end = () => {
    if (over) return;
    stop();
    listener.over();
  };
  child.stdout.setEncoding('utf8').once('data', (serverPid: string) => {
    if (over) return;
    missed = setInterval(() => lookForEnded(Number.parseInt(serverPid, 10)), lookForEndedEveryMs);
    listener.ready();
  });
  child.once('error', end);
  child.once('exit', end);
  return () => {
    stop();
    child.kill('SIGTERM');
  };
}
