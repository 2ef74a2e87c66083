// The broker's clock: epoch milliseconds that never go back, whatever is done to the system's time.

import { performance } from 'node:perf_hooks';

export type Clock = () => number;

export const systemClock: Clock = () => performance.timeOrigin + performance.now();
