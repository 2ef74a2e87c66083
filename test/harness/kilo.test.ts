import { harnessSuite } from './support/harness-suite.js';

harnessSuite('kilo', { mode: 'native', images: true, progressExtends: true });
