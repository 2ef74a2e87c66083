// How `leo daemon` ends, in codes that a service manager can tell apart (sysexits.h has the numbers). What starting it
// again cannot mend is not started again.

/** Exit codes of `leo daemon`; every other ending, a signal included, is a crash. */
export const daemonExit = {
  /** It was told to end, and has. */
  ended: 0,
  /** It cannot start now and might later: the port is another program's, say. */
  failed: 1,
  misused: 2,
  /** Another daemon has this LEO_HOME (EX_TEMPFAIL). */
  running: 75,
  /** leo.yaml, or a file or folder of LEO_HOME, is not as it must be (EX_CONFIG). */
  config: 78,
} as const;

/** What an exit code of the daemon means, in words that go on a sentence. */
export function exitInWords(code: number): string {
  switch (code) {
    case daemonExit.ended:
      return 'it was told to end';
    case daemonExit.running:
      return 'another daemon has this LEO_HOME';
    case daemonExit.config:
      return 'leo.yaml, or a file of LEO_HOME, cannot be used';
    default:
      return `exit code ${code}`;
  }
}

/** Who started a daemon. `hand` is anybody: a person in a terminal, a script. */
export type StartedBy = 'systemd' | 'launchd' | 'gateway' | 'hand';

/** The variable by which the daemon is told. */
export const startedByVariable = 'LEO_STARTED_BY';

export function startedBy(env: Readonly<Record<string, string | undefined>>): StartedBy {
  const said = env[startedByVariable];
  return said === 'systemd' || said === 'launchd' || said === 'gateway' ? said : 'hand';
}

/**
 * The code to exit with. launchd knows two endings only, and starts again whatever has not succeeded: there, what no
 * start can mend counts as a success, and the log has the reason.
 */
export function exitCodeFor(code: number, by: StartedBy): number {
  const final = code === daemonExit.running || code === daemonExit.config;
  return by === 'launchd' && final ? daemonExit.ended : code;
}
