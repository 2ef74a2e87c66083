// The round trip of one call at a time, calls a second with 64 in flight, and a 5 MB image: through gateway,
// broker and app, the app claiming and answering by lib/app, against a server that answers by itself.

import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, rawCaller, sdkCaller } from '../caller.js';
import { median, percentile } from '../numbers.js';
import type { Row } from '../row.js';
import { commandOf, type EachKind, type Kind, kinds, start } from '../servers.js';
import { onStage, type Stage } from '../stage.js';

const inFlight = 64;
/** Between two calls that come apart, in milliseconds. */
const pauseMs = 5;

type Connect = (kind: Kind, stage: Stage) => Promise<Caller>;
const bySdk: Connect = (kind, stage) => sdkCaller(commandOf(kind, stage));
const byRaw: Connect = async (kind, stage) => {
  const client = start(kind, stage, 'bench-raw');
  await client.listed;
  return rawCaller(client);
};

/** Calls before those that count: compilers take as many until they have settled on a hot path. */
export const warming = 1500;

/** Samples of each kind: after warming, and one round that does not count, each takes its turn in every round. */
async function samples(
  connect: Connect,
  rounds: number,
  sample: (caller: Caller, kind: Kind) => Promise<readonly number[]>,
): Promise<EachKind<number[]>> {
  return await onStage(async (stage) => {
    await stage.startApp();
    const callers = {
      floor: await connect('floor', stage),
      sdk: await connect('sdk', stage),
      leo: await connect('leo', stage),
    };
    for (const kind of kinds) await roundTrips(callers[kind], warming);
    const taken = { floor: [] as number[], sdk: [] as number[], leo: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        const some = await sample(callers[kind], kind);
        if (round > 0) taken[kind].push(...some);
      }
    }
    for (const kind of kinds) await callers[kind].end();
    return taken;
  });
}

/** One number of each kind. */
function each(taken: EachKind<number[]>, number: (samples: readonly number[]) => number): EachKind<number> {
  return { floor: number(taken.floor), sdk: number(taken.sdk), leo: number(taken.leo) };
}

/** The times of calls made one after the other, in milliseconds. */
export async function roundTrips(caller: Caller, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++)
    times.push(await caller.call('echo', { text: `call ${index}` }));
  return times;
}

/** The times of calls with a pause between them, as an agent makes them: caches and cores have cooled. */
async function callsApart(caller: Caller, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    await pause(pauseMs);
    times.push(await caller.call('echo', { text: `call ${index}` }));
  }
  return times;
}

export async function roundTripRows(quick: boolean): Promise<readonly Row[]> {
  const rounds = quick ? 4 : 10;
  const apart = await samples(bySdk, rounds, (caller) => callsApart(caller, 60));
  const taken = await samples(bySdk, rounds, (caller) => roundTrips(caller, 300));
  const raw = await samples(byRaw, rounds, (caller) => roundTrips(caller, 300));
  const p99 = (times: readonly number[]) => percentile(times, 0.99);
  return [
    {
      id: 'call-p50',
      what: `a call, ${pauseMs} ms after the last, p50`,
      unit: 'ms',
      ...each(apart, median),
      limit: { of: 'ratio', most: 8 },
      note: 'calls are made by the SDK 1.x client, as harnesses make them; call-raw alone takes the raw driver',
    },
    {
      id: 'call-p99',
      what: `a call, ${pauseMs} ms after the last, p99`,
      unit: 'ms',
      ...each(apart, p99),
      limit: { of: 'ratio', most: 12 },
    },
    {
      id: 'call-loop-p50',
      what: 'a call right after the last, p50',
      unit: 'ms',
      ...each(taken, median),
      limit: { of: 'ratio', most: 8 },
    },
    {
      id: 'call-loop-p99',
      what: 'a call right after the last, p99',
      unit: 'ms',
      ...each(taken, p99),
      limit: { of: 'ratio', most: 12 },
    },
    {
      id: 'call-raw',
      what: 'the same by a client of no cost, p50',
      unit: 'ms',
      ...each(raw, median),
    },
  ];
}

/** Calls a second, with `inFlight` of them always on their way. */
async function rate(caller: Caller, count: number): Promise<number> {
  const begun = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await caller.call('echo', { text: 'busy' });
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return count / ((performance.now() - begun) / 1000);
}

export async function rateRows(quick: boolean): Promise<readonly Row[]> {
  const taken = await samples(bySdk, quick ? 2 : 5, async (caller, kind) => [
    await rate(caller, kind === 'leo' ? 6000 : 20_000),
  ]);
  return [
    {
      id: 'rate',
      what: `calls a second, ${inFlight} in flight`,
      unit: 'calls/s',
      ...each(taken, median),
      limit: { of: 'ratio', most: 12 },
    },
  ];
}

export async function imageRows(quick: boolean): Promise<readonly Row[]> {
  const taken = await samples(bySdk, quick ? 5 : 15, async (caller) => [await caller.call('image', {})]);
  return [
    {
      id: 'image',
      what: 'a 5 MB image',
      unit: 'ms',
      ...each(taken, median),
      limit: { of: 'ratio', most: 3 },
    },
  ];
}
