// A call that is not answered, so that something may happen while the harness waits for it.

import type { Turn } from '../../conversation.js';
import { isFromHarness } from '../../figure.js';
import { ProbeError } from '../../probe-error.js';
import type { Run } from '../../run.js';
import { offeredOf, slowTool } from '../../server/probe-tools.js';

/**
 * Has the harness call `slow_tool`, and waits until the call is at the server.
 *
 * @throws {ProbeError} where it does not come.
 */
export async function startSlowCall(run: Run, turn: Turn, limitMs: number): Promise<void> {
  const offered = offeredOf(turn.request, slowTool);
  if (offered === undefined) throw new ProbeError('the harness does not offer slow_tool');
  turn.start(offered);
  const called = await run.trace.until(
    (entries) => entries.some((entry) => isFromHarness(entry, 'tools/call')),
    limitMs,
  );
  if (!called) throw new ProbeError(`the harness did not call slow_tool within ${limitMs / 1000} s`);
}
