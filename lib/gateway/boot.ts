// The first file of a gateway: runs dist/gateway-main.cjs from what the engine compiled of it at build time,
// which takes a quarter off the start. The cache is the engine's own; one of another engine, or none, only means
// that the text is compiled as ever. It is named by the text's hash, since the engine compares lengths alone.

import './engine.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

declare const GATEWAY_CACHE: string;

const file = join(__dirname, 'gateway-main.cjs');
const cachedData = readIfThere(join(__dirname, GATEWAY_CACHE));

/** The compiled gateway; the build takes the cache from it. */
export const script = new Script(
  // The build writes ASCII, of which the engine keeps one byte a character.
  `(function(require,__dirname){${readFileSync(file, 'utf8')}\n})`,
  { filename: file, ...(cachedData === undefined ? {} : { cachedData }) },
);
script.runInThisContext()(require, __dirname);

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // Built without a cache.
  }
}
