import { harnessSuite } from './support/harness-suite.js';

harnessSuite('qwen-code', { mode: 'fallback', images: true, progressExtends: false });
