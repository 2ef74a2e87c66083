// What the daemon has seen harnesses do, for `leo harness list`.

import type { WireSeenHarness } from '../wire/bodies/harnesses.js';
import { readHarnesses } from './answers.js';
import { ask, type DaemonAddress } from './daemon-client.js';

/**
 * Asks the daemon which harnesses were seen to list tools again after a change, and which were not.
 *
 * @throws {CliError} when no daemon answers, or it answers with an error.
 */
export async function seenHarnesses(address: DaemonAddress): Promise<readonly WireSeenHarness[]> {
  return readHarnesses(await ask(address, '/api/v1/harnesses')).harnesses;
}
