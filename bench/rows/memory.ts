// The memory of ten servers, initialized, listed and at rest.

import { memoryKind, memoryOf, settled } from '../memory.js';
import type { Row } from '../row.js';
import { kinds, start } from '../servers.js';
import { sessionsUp } from '../sessions.js';
import { onStage } from '../stage.js';

const processes = 10;

export async function memoryRows(): Promise<readonly Row[]> {
  return await onStage(async (stage) => {
    await stage.startApp();
    const memory = { floor: 0, sdk: 0, leo: 0 };
    for (const kind of kinds) {
      const clients = Array.from({ length: processes }, (_, index) => start(kind, stage, `bench-${index}`));
      await Promise.all(clients.map((client) => client.listed));
      if (kind === 'leo') await sessionsUp(stage, processes);
      memory[kind] = await settled(() => memoryOf(clients.map((client) => client.pid)));
      await Promise.all(clients.map((client) => client.end()));
    }
    return [
      {
        id: 'memory',
        what: `ten gateways, ${memoryKind} memory`,
        unit: 'MB',
        ...memory,
        limit: { of: 'ratio', most: 2.2 },
      },
    ];
  });
}
