// Builds the console: web/ into dist/console/, flat, each file beside its .br and .gz.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root } from './prepare.mjs';

/** Smaller files gain nothing. */
const worthwhile = 1024;

/** @param version the version that the page takes itself for. */
export async function buildConsole(version) {
  const place = join(root, 'dist', 'console');
  // A daemon that starts meanwhile, as one does for its code cache, finds the old page or the new one.
  const folder = `${place}.new`;
  rmSync(folder, { recursive: true, force: true });
  await build({
    configFile: false,
    root: join(root, 'web'),
    base: '/console/',
    logLevel: 'warn',
    define: { LEO_VERSION: JSON.stringify(version) },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      // The daemon serves one folder and none within.
      assetsDir: '',
      // Everything stands in a file: the page's policy allows neither inline scripts nor styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2022',
    },
  });
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < worthwhile) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
  rmSync(place, { recursive: true, force: true });
  renameSync(folder, place);
}
