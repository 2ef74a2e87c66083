// The round trip of one call at a time, calls a second with 64 in flight, and a 5 MB image: through gateway,
// broker and app, the app claiming and answering by lib/app, against a server that answers by itself.

import { type Kind, kinds, start } from '../floors.js';
import type { McpClient } from '../mcp-client.js';
import { median, percentile } from '../numbers.js';
import type { Row } from '../row.js';
import { sessionsUp } from '../sessions.js';
import { onStage } from '../stage.js';

const inFlight = 64;

type Clients = { readonly [Name in Kind]: McpClient };

/** One driver on each kind, warmed. */
async function onClients<T>(play: (clients: Clients) => Promise<T>): Promise<T> {
  return await onStage(async (stage) => {
    await stage.startApp();
    const clients = { floor: start('floor', stage), sdk: start('sdk', stage), leo: start('leo', stage) };
    try {
      await Promise.all(kinds.map((kind) => clients[kind].listed));
      await sessionsUp(stage, 1);
      for (const kind of kinds) await roundTrips(clients[kind], 300);
      return await play(clients);
    } finally {
      await Promise.all(kinds.map((kind) => clients[kind].end()));
    }
  });
}

/** The times of calls made one after the other, in milliseconds. */
export async function roundTrips(client: McpClient, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const sent = performance.now();
    const { at } = await client.request('tools/call', { name: 'echo', arguments: { text: `call ${index}` } });
    times.push(at - sent);
  }
  return times;
}

export async function roundTripRows(quick: boolean): Promise<readonly Row[]> {
  const blocks = quick ? 4 : 10;
  const times = { floor: [] as number[], sdk: [] as number[], leo: [] as number[] };
  await onClients(async (clients) => {
    for (let block = 0; block < blocks; block++) {
      for (const kind of kinds) times[kind].push(...(await roundTrips(clients[kind], 300)));
    }
  });
  const at = (share: number) => ({
    leo: percentile(times.leo, share),
    floor: percentile(times.floor, share),
    sdk: percentile(times.sdk, share),
  });
  return [
    {
      id: 'call-p50',
      what: 'round trip of a call, p50',
      unit: 'ms',
      ...at(0.5),
      limit: { of: 'ratio', most: 8 },
    },
    {
      id: 'call-p99',
      what: 'round trip of a call, p99',
      unit: 'ms',
      ...at(0.99),
      limit: { of: 'ratio', most: 12 },
    },
  ];
}

/** Calls a second, with `inFlight` of them always on their way. */
async function rate(client: McpClient, count: number): Promise<number> {
  const begun = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await client.request('tools/call', { name: 'echo', arguments: { text: 'busy' } });
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return count / ((performance.now() - begun) / 1000);
}

export async function rateRows(quick: boolean): Promise<readonly Row[]> {
  const rounds = quick ? 2 : 5;
  const counts = { floor: 30_000, sdk: 8000, leo: 8000 };
  const rates = { floor: [] as number[], sdk: [] as number[], leo: [] as number[] };
  await onClients(async (clients) => {
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        const one = await rate(clients[kind], counts[kind]);
        // The first round is for the compilers.
        if (round > 0) rates[kind].push(one);
      }
    }
  });
  return [
    {
      id: 'rate',
      what: `calls a second, ${inFlight} in flight`,
      unit: 'calls/s',
      leo: median(rates.leo),
      floor: median(rates.floor),
      sdk: median(rates.sdk),
      limit: { of: 'ratio', most: 12 },
    },
  ];
}

export async function imageRows(quick: boolean): Promise<readonly Row[]> {
  const rounds = quick ? 5 : 15;
  const times = { floor: [] as number[], sdk: [] as number[], leo: [] as number[] };
  await onClients(async (clients) => {
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        const sent = performance.now();
        const { at } = await clients[kind].request('tools/call', { name: 'image', arguments: {} });
        // In the first round the servers draw the image.
        if (round > 0) times[kind].push(at - sent);
      }
    }
  });
  return [
    {
      id: 'image',
      what: 'a 5 MB image',
      unit: 'ms',
      leo: median(times.leo),
      floor: median(times.floor),
      sdk: median(times.sdk),
      limit: { of: 'ratio', most: 3 },
    },
  ];
}
