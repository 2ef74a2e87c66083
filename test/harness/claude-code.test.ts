import { harnessSuite } from './support/harness-suite.js';

harnessSuite('claude-code', { mode: 'native', images: true, progressExtends: false });
