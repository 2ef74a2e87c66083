// Loaded before each test file: what a test starts runs as its user would run it. tap would have every Node process
// that a test starts load its own recorder first, which costs more time than most of them take.

import { createRequire } from 'node:module';

createRequire(import.meta.url)('process-on-spawn').removeAllListeners();
const options = (process.env.NODE_OPTIONS ?? '').replace(/"?--import=\S*@tapjs\/processinfo\S*/g, '').trim();
if (options === '') delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = options;
