// Where the programs of harnesses are: on PATH, or below a folder into which npm installed them.

import { readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findProgram, type HarnessName } from '../setup/index.js';
import { drivers } from './harnesses/drivers.js';

/**
 * PATH for finding and running harnesses: the prefix's folders first, and Node's own, since many are scripts of it.
 *
 * @param prefix as npm's `--prefix`: a folder with `node_modules` or `bin`.
 */
export function harnessPath(path: string, prefix: string | undefined): string {
  const folders =
    prefix === undefined
      ? []
      : [join(prefix, 'node_modules', '.bin'), join(prefix, 'bin'), ...platformFolders(prefix)];
  return [...folders, path, dirname(process.execPath)].join(delimiter);
}

/** kilo's package for a platform brings a program, but does not link it. */
function platformFolders(prefix: string): readonly string[] {
  const scope = join(prefix, 'node_modules', '@kilocode');
  try {
    return readdirSync(scope)
      .filter((name) => name.startsWith('cli-'))
      .map((name) => join(scope, name, 'bin'));
  } catch {
    return []; // Not installed there.
  }
}

/** The program of a harness, or undefined. */
export function programOf(harness: HarnessName, path: string): string | undefined {
  return drivers[harness].programs
    .map((name) => findProgram(name, path))
    .find((found) => found !== undefined);
}
