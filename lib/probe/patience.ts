// How long the probe waits for what may never come, and for what has to show that it does not come.

export interface Patience {
  /** For a program to say its version. */
  readonly versionMs: number;
  /** For the harness's next request to its model. */
  readonly requestMs: number;
  /** For one turn of a session to be over. */
  readonly turnMs: number;
  /** For one run of a harness, after which it counts as hung. */
  readonly runMs: number;
  /** For `tools/list` after `list_changed`; a call that is open meanwhile is answered after it. */
  readonly relistMs: number;
  /** For what follows when a harness has given a call up. */
  readonly settleMs: number;
  /** The limit that is set in a harness's configuration, in seconds. */
  readonly setLimitS: number;
  /** For the default limit, in seconds: within it it is a figure, beyond it "none up to". */
  readonly defaultLimitS: { readonly usual: number; readonly long: number };
  /** For what becomes of a server whose harness ends; and for how long that server outlives every sign. */
  readonly signMs: number;
  readonly lingerMs: number;
}

export const ordinaryPatience: Patience = {
  versionMs: 60_000,
  requestMs: 90_000,
  turnMs: 120_000,
  runMs: 150_000,
  relistMs: 3000,
  settleMs: 2000,
  setLimitS: 20,
  defaultLimitS: { usual: 190, long: 700 },
  signMs: 12_000,
  lingerMs: 15_000,
};
