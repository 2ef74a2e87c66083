// Builds build/node_modules/tap, which the tests in build/ import as `tap`: all of tap in one file, because each test
// file is a process of its own, and loading tap's three hundred modules takes longer than most of them take to run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './prepare.mjs';

/** Builds tap with the options that everything is built with. */
export async function buildTap(shared) {
  const folder = join(root, 'build', 'node_modules', 'tap');
  // tap leaves what lies in this folder out of the stacks that it shows.
  const main = join('node_modules', '@tapjs', 'all', 'index.js');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tap', type: 'module', main }));
  await esbuild.build({
    ...shared,
    entryPoints: ['node_modules/tap/dist/esm/index.js'],
    outfile: join(folder, main),
    bundle: true,
    format: 'esm',
    // Some of what it is made of is CommonJS, and asks for Node's own modules by a function that is not there.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
  });
}
