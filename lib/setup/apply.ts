// Does what a plan says: by the harness's own command where there is one, else file by file.

import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { mustBeWritable, readText, removeFile, writeText } from './disk/config-file.js';
import { harnesses } from './harnesses.js';
import { SetupError } from './setup-error.js';
import { documentOf, entryIn } from './text/document.js';
import type { FileChange, OwnCommand, Plan } from './types.js';

/** A harness's own command has this long. */
const commandLimitMs = 60_000;

/**
 * Makes a plan's changes.
 *
 * @param folders those that setup made around a file that goes, the outermost first.
 * @throws {SetupError} where a file is not what it was when the plan was made; it is left as it is.
 */
export async function applyPlan(plan: Plan, folders: readonly string[] = []): Promise<void> {
  for (const { path, before } of plan.changes) {
    mustBeWritable(path, plan.harness);
    if (readText(path) !== before) throw changedMeanwhile(path);
  }
  if (plan.changes.length === 0) return;
  if (plan.command !== undefined && (await succeeds(plan.command)) && isAsPlanned(plan)) return;
  for (const change of plan.changes) write(change, plan.command !== undefined, folders);
}

function write(
  { path, before, after }: FileChange,
  commandFailed: boolean,
  folders: readonly string[],
): void {
  // A command that failed may have written all the same.
  if (readText(path) !== before) {
    throw commandFailed
      ? new SetupError(`${path} was changed by a command that then failed; look at the file, then try again`)
      : changedMeanwhile(path);
  }
  if (after === null) removeFile(path, folders);
  else writeText(path, after);
}

function changedMeanwhile(path: string): SetupError {
  return new SetupError(`${path} was changed by somebody else just now; try again`);
}

/** Whether the files hold the entry that the plan wanted, whatever else a command wrote. */
function isAsPlanned({ harness, entry, changes }: Plan): boolean {
  return changes.every(({ path }) => {
    const setup = harnesses[harness];
    const place = {
      paths: [],
      overrides: [],
      made: path,
      format: { comments: true, trailingCommas: true, byteOrderMark: true },
    };
    try {
      const found = entryIn(documentOf(path, readText(path), setup, place, entry.name), entry.name);
      // A harness may add keys of its own.
      const said = [found, entry.values].map((values) => values && setup.read(values));
      return isDeepStrictEqual(said[0], said[1]);
    } catch (error) {
      if (error instanceof SetupError) return false;
      throw error;
    }
  });
}

async function succeeds({ argv, cwd, env }: OwnCommand): Promise<boolean> {
  for (const [program = '', ...args] of argv) {
    const child = spawn(program, args, { cwd, env, stdio: 'ignore' });
    // By SIGKILL: one that hangs may not hear of anything less. Not spawn's own limit, which is waited for by a
    // process whose command could not even be started.
    const limit = setTimeout(() => child.kill('SIGKILL'), commandLimitMs);
    const ok = await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
    });
    clearTimeout(limit);
    if (!ok) return false;
  }
  return true;
}
