// `node scripts/record-screens.mjs [HARNESS…]`: records fixtures/screens anew from the real harnesses, as
// `npm run test:harness` has installed them below test/harness. LEO_HARNESSES names another folder of theirs.

import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const { recordAll } = await import(join(root, 'build/test/harness/record-screens.js'));
await recordAll(process.argv.slice(2));
