import { harnessSuite } from './support/harness-suite.js';

harnessSuite('gemini-cli', { mode: 'native', images: true, progressExtends: false });
