// Which version of a harness is installed. One from npm is looked up in its package.json: to start all of them takes
// many seconds, and some write to the user's home when they only say their version.

import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../wire/json.js';

/** A program has this long to say its version. */
const versionWithinMs = 10_000;

/**
 * The version of a program, or null where it does not say.
 *
 * @param limitMs how long it is waited for, in milliseconds.
 */
export async function programVersion(path: string, limitMs = versionWithinMs): Promise<string | null> {
  return packageVersion(realpathSync(path)) ?? (await askedVersion(path, limitMs));
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

async function askedVersion(path: string, limitMs: number): Promise<string | null> {
  const said = await whatSays(path, ['--version'], limitMs);
  return /\d+\.\d+\.\d+[\w.+-]*/.exec(said)?.[0] ?? null;
}

/** What a program has said of itself by then, in characters. */
const enough = 65_536;

/**
 * What a program says on its stdout until it ends or its time is over; nothing where it cannot be run.
 *
 * @param limitMs how long it is waited for, in milliseconds.
 */
export function whatSays(path: string, args: readonly string[], limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    // To ask is no reason to update itself.
    const env = { ...process.env, DISABLE_AUTOUPDATER: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    // In a group of its own, which ends as a whole: one that hangs may not hear SIGTERM, and what it started may
    // hold its output open for ever.
    const child = spawn(path, args, { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    const done = () => {
      clearTimeout(timer);
      child.stdout.destroy();
      if (child.pid !== undefined) killGroup(child.pid);
      resolve(said);
    };
    const timer = setTimeout(done, limitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < enough) said += text;
    });
    child.once('error', done);
    child.once('close', done);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
