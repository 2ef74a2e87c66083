// A service manager as the commands see it: what to run for each of them, and what its answers mean.

import type { ServiceDescription } from './description.js';
import type { Ran } from './run-program.js';
import type { ServiceCommand, Step } from './steps.js';

/** What the manager says of the service. */
export interface ServiceState {
  /** Whether the manager knows it. */
  readonly loaded: boolean;
  /** Whether it starts by itself when the user logs in; undefined where the manager does not say. */
  readonly enabled: boolean | undefined;
  readonly activity: 'running' | 'starting' | 'stopped' | 'failed';
  readonly pid: number | undefined;
  /** How the daemon ended last; undefined while it runs, or before it ever has. */
  readonly lastExit: number | undefined;
  /** In the manager's own words. */
  readonly words: string;
}

/** The steps and questions of one manager. Pure. */
export interface ServiceCommands {
  /** The text of the file that describes a service to it. */
  readonly text: (service: ServiceDescription) => string;
  /** After the file is written. */
  readonly installed: (service: ServiceDescription, start: boolean) => readonly Step[];
  /** Before the file is removed, and after. */
  readonly removing: (service: ServiceDescription) => readonly Step[];
  readonly removed: readonly Step[];
  readonly start: (service: ServiceDescription, state: ServiceState) => readonly Step[];
  readonly stop: (service: ServiceDescription) => readonly Step[];
  readonly restart: (service: ServiceDescription) => readonly Step[];
  readonly askState: (service: ServiceDescription) => ServiceCommand;
  /** Undefined where the answer is none: then `fault` says why. */
  readonly readState: (ran: Ran) => ServiceState | undefined;
  /** Why one of its programs failed, with the mend. */
  readonly fault: (command: ServiceCommand, ran: Ran) => string;
}
