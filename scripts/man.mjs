// `npm run man`: writes the man page, and says how to read it.

import { buildManPage } from './man-page.mjs';
import { prepare } from './prepare.mjs';

await prepare();
process.stdout.write(`man -l ${buildManPage()}\n`);
