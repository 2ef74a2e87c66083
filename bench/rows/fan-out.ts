// How long from a registration until gateways have told their harness: one of them, and the last of 200; and
// what 200 gateways cost the broker.

import { setTimeout as pause } from 'node:timers/promises';
import type { McpClient } from '../mcp-client.js';
import { residentMemoryOf, settled } from '../memory.js';
import { median } from '../numbers.js';
import { openProvider, type Provider } from '../provider.js';
import type { Row } from '../row.js';
import { start } from '../servers.js';
import { sessionsUp } from '../sessions.js';
import { onStage, type Stage } from '../stage.js';
import { silentTool } from '../tools.js';

const gateways = 200;
/** How many gateways start at once; their starts are not what is measured. */
const batch = 8;
/** `list_changed` comes at most once a second (design 8), so registrations are farther apart than that. */
const restMs = 2000;

export async function fanOutRows(quick: boolean): Promise<readonly Row[]> {
  const rounds = quick ? 3 : 5;
  return await onStage(async (stage) => {
    const broker = () => residentMemoryOf(stage.daemon.pid);
    const provider = await openProvider(stage.daemon.socket);
    const first = await startBatch(stage, 0, 1);
    await sessionsUp(stage, 1);
    const alone = await delays(provider, first, rounds);
    const idle = await settled(broker);
    const all = [...first];
    while (all.length < gateways) {
      all.push(...(await startBatch(stage, all.length, Math.min(batch, gateways - all.length))));
    }
    await sessionsUp(stage, gateways);
    const full = await settled(broker);
    const together = await delays(provider, all, rounds);
    provider.close();
    await Promise.all(all.map((client) => client.end()));
    return [
      { id: 'change', what: 'registration to list_changed, one gateway', unit: 'ms', leo: median(alone) },
      {
        id: 'fan-out',
        what: `registration to the last of ${gateways} gateways`,
        unit: 'ms',
        leo: median(together),
        limit: { of: 'number', most: 1500 },
      },
      {
        id: 'gateways-memory',
        what: `broker, ${gateways} gateways, over one`,
        unit: 'MB',
        leo: full - idle,
        note: `the broker's resident memory was ${idle.toFixed(0)} MB with one, ${full.toFixed(0)} MB with all`,
      },
    ];
  });
}

async function startBatch(stage: Stage, from: number, count: number): Promise<readonly McpClient[]> {
  const clients = Array.from({ length: count }, (_, index) => start('leo', stage, `bench-${from + index}`));
  await Promise.all(clients.map((client) => client.listed));
  return clients;
}

/** The time from each registration's first byte to the last harness's notification, in milliseconds. */
async function delays(
  provider: Provider,
  clients: readonly McpClient[],
  rounds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pause(restMs);
    const told = Promise.all(clients.map((client) => client.notified('notifications/tools/list_changed')));
    const begun = performance.now();
    await provider.register('fan-out', [silentTool(`round_${round}`)]);
    times.push(Math.max(...(await told)) - begun);
    // A harness that re-lists asks for the list, and the gateway notes what it has seen.
    await Promise.all(clients.map((client) => client.request('tools/list', {})));
  }
  await provider.register('fan-out', []);
  return times;
}
