import { harnessSuite } from './support/harness-suite.js';

harnessSuite('cline', { mode: 'fallback', images: false, progressExtends: false, outlivesSigterm: true });
