import { harnessSuite } from './support/harness-suite.js';

harnessSuite('codex', { mode: 'fallback', images: true, progressExtends: false });
