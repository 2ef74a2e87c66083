// What 10,000 parked calls cost: the broker's memory over idle, and how much slower a new call gets.

import { sdkCaller } from '../caller.js';
import { residentMemoryOf, settled } from '../memory.js';
import { median } from '../numbers.js';
import { openParking } from '../parking.js';
import type { Row } from '../row.js';
import { sessionsDown } from '../sessions.js';
import { onStage } from '../stage.js';
import { roundTrips, warming } from './calls.js';

const parked = 10_000;

export async function parkedRows(quick: boolean): Promise<readonly Row[]> {
  return [await memoryRow(), await callRow(quick ? 500 : 2000)];
}

async function memoryRow(): Promise<Row> {
  return await onStage(async (stage) => {
    const broker = () => residentMemoryOf(stage.daemon.pid);
    const parking = await openParking(stage);
    const idle = await settled(broker);
    await parking.park(parked);
    const full = await settled(broker);
    parking.leave();
    return {
      id: 'parked-memory',
      what: 'broker, 10,000 parked calls, over idle',
      unit: 'MB',
      leo: full - idle,
      limit: { of: 'number', most: 40 },
      note: `the broker's resident memory was ${idle.toFixed(0)} MB idle, ${full.toFixed(0)} MB with the calls`,
    };
  });
}

async function callRow(trips: number): Promise<Row> {
  return await onStage(async (stage) => {
    await stage.startApp();
    const caller = await sdkCaller(stage.gateway('bench'));
    const parking = await openParking(stage);
    await roundTrips(caller, warming);
    const before = await roundTrips(caller, trips);
    await parking.park(parked);
    const during = await roundTrips(caller, trips);
    parking.leave();
    await sessionsDown(stage, 1);
    const after = await roundTrips(caller, trips);
    await caller.end();
    return {
      id: 'parked-call',
      what: 'a new call, 10,000 parked, to without',
      unit: 'ms',
      leo: median(during),
      floor: median([...before, ...after]),
      limit: { of: 'ratio', most: 1.25 },
      note: 'BARE is here the same call of the same run, before and after, with no call parked',
    };
  });
}
