// What 10,000 parked calls cost: the broker's memory over idle, and how much slower a new call gets.

import { openAgentLink } from '../../lib/cli/agent-link.js';
import { until } from '../../test/support/wait.js';
import { sdkCaller } from '../caller.js';
import { memoryKind, settledMemory } from '../memory.js';
import { median } from '../numbers.js';
import { openProvider } from '../provider.js';
import type { Row } from '../row.js';
import { sessionsDown, sessionsUp } from '../sessions.js';
import { onStage } from '../stage.js';
import { silentTool } from '../tools.js';
import { roundTrips } from './calls.js';

const parked = 10_000;
/** How many calls are sent before the broker must have parked them: no burst swells its buffers. */
const burst = 250;
const agents = 4;

export async function parkedRows(quick: boolean): Promise<readonly Row[]> {
  return await onStage(async (stage) => {
    const daemon = [stage.daemon.pid];
    await stage.startApp();
    const provider = await openProvider(stage.daemon.socket);
    await provider.register('silent', [silentTool('park')]);
    const caller = await sdkCaller(stage.gateway('bench'));
    await sessionsUp(stage, 1);
    const trips = quick ? 500 : 2000;
    await roundTrips(caller, 500);
    const before = await roundTrips(caller, trips);
    const idle = await settledMemory(daemon);

    const links = await Promise.all(
      Array.from({ length: agents }, (_, index) => openAgentLink(stage.daemon.socket, `parker-${index}`)),
    );
    // Those of the warm-up were the other app's calls, but every provider is told of every call.
    const already = provider.seen();
    for (let sent = 0; sent < parked; ) {
      for (let one = 0; one < burst; one++, sent++) {
        const text = `call ${sent}`;
        // Closing the link is what ends them.
        links[sent % agents]?.call('park', { text }).catch(() => undefined);
      }
      const due = already + sent;
      await until(`${sent} calls are parked`, () => provider.seen() >= due);
    }
    const full = await settledMemory(daemon);
    const during = await roundTrips(caller, trips);
    for (const link of links) link.close();
    await sessionsDown(stage, 1);
    const after = await roundTrips(caller, trips);
    provider.close();
    await caller.end();
    return [
      {
        id: 'parked-memory',
        what: 'broker, 10,000 parked calls, over idle',
        unit: 'MB',
        leo: full - idle,
        limit: { of: 'number', most: 40 },
        note: `the broker's ${memoryKind} memory was ${idle.toFixed(0)} MB idle, ${full.toFixed(0)} MB with the calls`,
      },
      {
        id: 'parked-call',
        what: 'a new call, 10,000 parked, to without',
        unit: 'ms',
        leo: median(during),
        floor: median([...before, ...after]),
        limit: { of: 'ratio', most: 1.25 },
        note: 'BARE is here the same call of the same run without parked calls',
      },
    ];
  });
}
