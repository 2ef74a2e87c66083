// `npm run bench`: installs, builds, and measures (bench/main.ts).

import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

await prepare();
run(process.execPath, [join(root, 'build', 'bench', 'main.js'), ...process.argv.slice(2)]);
