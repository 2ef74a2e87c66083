// Writes dist/man/leo.1 from the help of the commands as they are built. It is made for each package and never kept, so
// that it cannot tell of commands that there are no more.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Writes the page and gives its path. */
export function buildManPage() {
  const leo = join(root, 'bin', 'leo.js');
  const { status, stdout } = spawnSync(process.execPath, [leo, 'completion', 'man'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(join(root, 'dist', 'man'), { recursive: true });
  const path = join(root, 'dist', 'man', 'leo.1');
  writeFileSync(path, stdout);
  return path;
}
