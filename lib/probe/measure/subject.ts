// What is measured: one harness, found as a program on this machine.

import type { HarnessName } from '../../setup/index.js';
import type { Patience } from '../patience.js';

export interface Subject {
  readonly harness: HarnessName;
  /** The path of its program. */
  readonly program: string;
  /** The relay's file. */
  readonly relay: string;
  /** PATH for it. */
  readonly path: string;
  /** How long the probe waits for it. */
  readonly patience: Patience;
  /** Ends what runs. */
  readonly signal?: AbortSignal;
}
