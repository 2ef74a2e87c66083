// Settings of the engine, imported before all else: a gateway idles beside every agent, so a heap that stays
// small is worth more than one that grows ahead of its use.

import { setFlagsFromString } from 'node:v8';

// Without it the young generation doubles while the modules load, and the pages are never given back.
setFlagsFromString('--semi-space-growth-factor=1');
