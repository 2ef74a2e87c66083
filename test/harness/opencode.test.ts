import { harnessSuite } from './support/harness-suite.js';

harnessSuite('opencode', { mode: 'native', images: true, progressExtends: true });
