import { harnessSuite } from './support/harness-suite.js';

harnessSuite('copilot-cli', { mode: 'native', images: false, progressExtends: true });
