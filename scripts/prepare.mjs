// What every npm script needs before it runs: the packages of the lockfile and a build that is not older
// than its sources. On a fresh clone this is all the setting up there is.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a command in the repository and ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the packages when the lockfile is not the one that node_modules was made from. */
export function install() {
  const stamp = join(root, 'node_modules', '.leo-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stderr.write('leo: installing packages from the lockfile (once)\n');
  // No package needs its install script: esbuild's only shortens its own start. npm's report belongs on
  // stderr, so that stdout stays the script's.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  writeFileSync(stamp, lock);
}

/** Installs and builds; building takes well under a second, so it is always done. */
export async function prepare() {
  install();
  const { build } = await import('./build.mjs');
  await build();
}
