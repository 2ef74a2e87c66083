// The first file of the CLI: runs the files of dist/cli, which call for one another, from what the engine compiled of
// them at build time. The daemon alone brings five hundred modules with it, and finding and compiling each took longer
// than all the rest of its start. A cache of another engine, or none, only means that a file is compiled as ever.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

type Require = (name: string) => unknown;

const folder = join(__dirname, 'cli');
const loaded = new Map<string, { exports: unknown }>();

/** The compiled files, by their paths; the build takes the caches from them. */
export const scripts = new Map<string, Script>();

/** Gives what a file exports; a name without a dot at its front is Node's own. */
function load(name: string): unknown {
  if (!name.startsWith('./')) return require(name);
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  // Before it runs: files may call for one another in a circle.
  loaded.set(name, module);
  const path = join(folder, name);
  const cachedData = readIfThere(`${path}.v8`);
  const script = new Script(`(function(exports,require,module){${readFileSync(path, 'utf8')}\n})`, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  scripts.set(path, script);
  const run: (exports: object, require: Require, module: object) => void = script.runInThisContext();
  run(module.exports, load, module);
  return module.exports;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // Built without a cache.
  }
}

load('./main.js');
