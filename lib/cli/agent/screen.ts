// The screen of a supervised agent, as the CLI reaches it: in tmux itself, without the daemon.

import { agentMeant } from '../../broker/agents/names.js';
import type { PaneIdentity } from '../../broker/agents/panes/pane.js';
import { isSamePane, paneFormat, panesIn, type SeenPane } from '../../broker/agents/panes/recovery.js';
import { type Tmux, TmuxError, tmuxOn } from '../../broker/tmux/run-tmux.js';
import { LeoError } from '../../wire/errors.js';
import { readAgents } from '../answers.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { CliError } from '../failure.js';

export interface Screen {
  readonly name: string;
  readonly server: string;
  readonly pane: PaneIdentity;
  readonly tmux: Tmux;
}

/**
 * Finds the screen of an agent.
 *
 * @param wanted its name, or a shorthand.
 * @throws {CliError} when there is no such agent, or it has no screen that Leo has made.
 */
export async function screenOf(wanted: string): Promise<Screen> {
  const { agents } = readAgents(await ask(daemonAddress(process.env), '/api/v1/agents'));
  const names = agents.map((agent) => agent.name);
  const name = inWords(() => agentMeant(wanted, names));
  const supervised = agents.find((agent) => agent.name === name)?.supervised ?? null;
  if (supervised === null)
    throw new CliError(`the agent ${name} runs in a window that Leo did not start: look at it there`);
  if (supervised.tmux === null)
    throw new CliError(
      `the agent ${name} has no screen: ${supervised.detail ?? `it is ${supervised.state}`}`,
    );
  const { server, pane: paneId, pid, server_start: serverStart } = supervised.tmux;
  const pane = { paneId, pid, serverStart };
  return { name, server, pane, tmux: tmuxOn({ server, env: process.env }) };
}

/** The pane as tmux lists it now; undefined once it is gone. */
export async function paneNow({ tmux, pane }: Screen): Promise<SeenPane | undefined> {
  try {
    const panes = panesIn(await tmux(['list-panes', '-a', '-F', paneFormat]));
    return panes.find((one) => isSamePane(one, pane));
  } catch (error) {
    if (error instanceof TmuxError && error.fault === 'gone') return undefined;
    if (error instanceof TmuxError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}

export function gone({ name }: Screen): CliError {
  return new CliError(`the screen of ${name} is gone; see the agents: leo agent list`);
}

function inWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LeoError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}
