// Settings of the engine and of zod, imported before all else: a gateway idles beside every agent, so what is
// small is worth more than what is fast. (Ten gateways, proportional memory, without and with: 26 MB apart.)

import { setFlagsFromString } from 'node:v8';

// Without it the young generation doubles while the modules load, and the pages are never given back.
setFlagsFromString('--semi-space-growth-factor=1');
// Nothing runs often enough before the first call to be worth an optimising compiler's memory.
setFlagsFromString('--no-opt');
// zod, which checks the SDK's messages, would write and compile a function for each of its schemas.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The agent has begun to call tools: what runs often from here on may be optimised, and garbage may gather. */
export function optimise(): void {
  setFlagsFromString('--opt');
  setFlagsFromString('--semi-space-growth-factor=2');
}
