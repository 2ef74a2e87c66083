// Leo as a user has it: packed from a copy of the repository, and installed globally below a folder.

import { spawn } from 'node:child_process';
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
export async function packed(folder: string): Promise<Package> {
  const source = join(folder, 'source');
  cpSync(root, source, {
    recursive: true,
    filter: (path) => path === root || !notOfClone.has(basename(path)),
  });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], source);
  const name = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack has made no tarball');
  const tarball = join(folder, name);
  const listed = await run('tar', ['-tzf', tarball], folder);
  const files = listed
    .split('\n')
    .filter(Boolean)
    .map((path) => path.replace(/^package\//, ''));
  return { tarball, files };
}

/** Installs a tarball globally; gives undefined where no registry can be reached for what it depends on. */
export async function installed(tarball: string, prefix: string): Promise<string | undefined> {
  mkdirSync(prefix);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', '--global', '--prefix', prefix, ...options, tarball], prefix);
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

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return said;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said}${complained}`);
}
