// What every npm script needs before it runs: the packages of the lockfile and a build that is not older
// than its sources. On a fresh clone this is all the setting up there is.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/**
 * Installs and builds what is missing or older than its sources. A build that is as new as they are is left
 * alone: gateways and daemons may be running from it.
 */
export async function prepare() {
  install();
  const stamp = join(root, 'build', '.sources');
  const sources = fingerprintOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  const { build } = await import('./build.mjs');
  await build();
  writeFileSync(stamp, sources);
}

/** Changes when any file that the build reads does. */
function fingerprintOfSources() {
  const hash = createHash('sha256');
  const look = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found === undefined || path.endsWith('node_modules')) return;
    if (!found.isDirectory()) hash.update(`${path} ${found.size} ${found.mtimeMs}\n`);
    else for (const name of readdirSync(join(root, path)).sort()) look(join(path, name));
  };
  for (const path of [
    'lib',
    'web',
    'test',
    'bench',
    'examples',
    'scripts',
    'package.json',
    'package-lock.json',
    'harnesscaps.json',
  ])
    look(path);
  return hash.digest('hex');
}
