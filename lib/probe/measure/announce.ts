// Telling a harness of a new list of tools while it waits for a call.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/probe-server.js';

/** Says that the list changed, and gives the harness time to ask for it while its call is open. */
export async function announce(connection: Connection, relistMs: number): Promise<void> {
  connection.toolsChanged();
  // A run that is over meanwhile is not held up by this.
  await sleep(relistMs, undefined, { ref: false });
}
