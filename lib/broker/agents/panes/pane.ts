// Where a supervised agent is on the screen.

import type { SupervisedHarness } from '../../../config/templates.js';

/** A pane of Leo's tmux server. A pane is the agent's only while all three are the same. */
export interface PaneIdentity {
  /** `#{pane_id}`: `%3`. */
  readonly paneId: string;
  /** `#{pane_pid}`: the process that was started in it. */
  readonly pid: number;
  /** `#{start_time}` of the server, in epoch seconds: pane ids begin anew with each. */
  readonly serverStart: number;
}

export interface AgentPane extends PaneIdentity {
  readonly harness: SupervisedHarness;
}

/** Finds the pane of a supervised agent that runs; undefined for any other name, written exactly. */
export interface Panes {
  paneOf(name: string): AgentPane | undefined;
}
