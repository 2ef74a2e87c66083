// Leo as a user has it: packed from a copy of the repository, and installed globally below a folder.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Test } from 'tap';
import { root } from './daemon.js';

/** What a clone has not, or what is made in it. */
const notOfClone: ReadonlySet<string> = new Set(['.git', '.tap', 'build', 'dist', 'node_modules']);

export interface Package {
  readonly tarball: string;
  /** What is in it, as paths from its root. */
  readonly files: readonly string[];
}

/**
 * Packs a copy of the repository, which is built for it: the files of the build that runs the tests stay as they are.
 *
 * @param folder a new one, which the test removes.
 */
export function packed(folder: string): Package {
  const source = join(folder, 'source');
  cpSync(root, source, {
    recursive: true,
    filter: (path) => path === root || !notOfClone.has(basename(path)),
  });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  run('npm', ['pack', '--silent', '--pack-destination', folder], source);
  const name = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack has made no tarball');
  const tarball = join(folder, name);
  const files = run('tar', ['-tzf', tarball], folder)
    .split('\n')
    .filter(Boolean)
    .map((path) => path.replace(/^package\//, ''));
  return { tarball, files };
}

/** Installs a tarball globally; gives undefined where no registry can be reached for what it depends on. */
export function installed(tarball: string, prefix: string): string | undefined {
  mkdirSync(prefix);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    run('npm', ['install', '--global', '--prefix', prefix, ...options, tarball], prefix);
  } catch (error) {
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ENOTCACHED/.test(String(error))) return undefined;
    throw error;
  }
  return join(prefix, 'lib', 'node_modules', 'leo');
}

/** A folder that is removed with its test. */
export function newFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-package-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
