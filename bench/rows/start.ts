// From spawn to an answered tools/list, the daemon up and an app's tools registered: what a harness waits for
// before its first prompt.

import { isObject } from '../../lib/wire/json.js';
import { median } from '../numbers.js';
import type { Row } from '../row.js';
import { kinds, start } from '../servers.js';
import { onStage } from '../stage.js';

export async function startRows(quick: boolean): Promise<readonly Row[]> {
  const rounds = quick ? 7 : 21;
  const times = { floor: [] as number[], sdk: [] as number[], leo: [] as number[] };
  let withTool = 0;
  await onStage(async (stage) => {
    await stage.startApp();
    // The first round warms the disk's cache and does not count.
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        const client = start(kind, stage);
        const { result, at } = await client.listed;
        await client.end();
        if (round === 0) continue;
        times[kind].push(at - client.spawnedAt);
        if (kind === 'leo' && lists(result, 'echo')) withTool++;
      }
    }
  });
  return [
    {
      id: 'start',
      what: 'spawn to answered tools/list',
      unit: 'ms',
      leo: median(times.leo),
      floor: median(times.floor),
      sdk: median(times.sdk),
      limit: { of: 'ratio', most: 1.8 },
      note: `the app's tool stood in the first list ${withTool} times of ${rounds}`,
    },
  ];
}

function lists(result: unknown, name: string): boolean {
  return (
    isObject(result) &&
    Array.isArray(result.tools) &&
    result.tools.some((tool) => isObject(tool) && tool.name === name)
  );
}
