// Which version of a harness is installed. One from npm is looked up in its package.json: to start all of them takes
// many seconds, and some write to the user's home when they only say their version.

import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../wire/json.js';

/** A program has this long to say its version. */
const versionWithinMs = 10_000;

/** The version of a program, or null where it does not say. */
export async function programVersion(path: string): Promise<string | null> {
  return packageVersion(realpathSync(path)) ?? (await askedVersion(path));
}

function packageVersion(path: string): string | undefined {
  let folder = dirname(path);
  while (path.includes('/node_modules/') && basename(folder) !== 'node_modules') {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
}

function versionIn(file: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && typeof value.version === 'string' ? value.version : undefined;
  } catch {
    return undefined; // No package here, or none that can be read.
  }
}

function askedVersion(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    // To ask is no reason to update itself.
    const env = { ...process.env, DISABLE_AUTOUPDATER: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    execFile(path, ['--version'], { env, timeout: versionWithinMs }, (_, stdout) => {
      resolve(/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null);
    });
  });
}
