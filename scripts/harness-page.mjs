// `npm run harness:page`: writes docs/harnesses.md anew from harnesscaps.json and docs/harnesses.notes.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const { harnessPage } = await import(join(root, 'build/lib/probe/table/page.js'));
const { parseHarnessCaps } = await import(join(root, 'build/lib/config/harness-caps.js'));
const file = join(root, 'harnesscaps.json');
const table = parseHarnessCaps(readFileSync(file, 'utf8'), file);
const notes = readFileSync(join(root, 'docs/harnesses.notes.md'), 'utf8');
writeFileSync(join(root, 'docs/harnesses.md'), harnessPage(table, notes));
