// Does what a plan says: by the harness's own command where there is one, else file by file.

import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { mustBeWritable, readText, removeFile, writeText } from './disk/config-file.js';
import { harnesses } from './harnesses.js';
import { SetupError } from './setup-error.js';
import { type Document, documentOf, entryIn, withEntry } from './text/document.js';
import type { FileChange, HarnessName, OwnCommand, Plan } from './types.js';

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
  for (const change of plan.changes) write(change, plan, folders);
}

function write(change: FileChange, plan: Plan, folders: readonly string[]): void {
  const { path, before } = change;
  const now = readText(path);
  const after = now === before ? change.after : plan.command && putBack(change, plan, now);
  if (after === null) removeFile(path, folders);
  else if (after !== undefined) writeText(path, after);
  // A command that failed may have written all the same.
  else if (plan.command === undefined) throw changedMeanwhile(path);
  else
    throw new SetupError(
      `${path} was changed by a command that then failed; look at the file, then try again`,
    );
}

/**
 * The text of a file from which a harness's command has taken the old entry, and then failed to put in the new one:
 * with the new one in it. Undefined where something else has become of the file.
 */
function putBack(
  { path, before }: FileChange,
  { harness, entry }: Plan,
  now: string | null,
): string | undefined {
  if (entry.values === undefined) return undefined;
  const document = (text: string | null) => asHarnessReads(harness, path, text, entry.name);
  try {
    const taken =
      entryIn(document(before), entry.name) !== undefined && entryIn(document(now), entry.name) === undefined;
    return taken ? withEntry(document(now), entry.name, entry.values) : undefined;
  } catch (error) {
    if (error instanceof SetupError) return undefined;
    throw error;
  }
}

/** A file as what a harness itself writes may be read. */
function asHarnessReads(harness: HarnessName, path: string, text: string | null, name: string): Document {
  const format = { comments: true, trailingCommas: true, byteOrderMark: true };
  return documentOf(path, text, harnesses[harness], { paths: [], overrides: [], made: path, format }, name);
}

function changedMeanwhile(path: string): SetupError {
  return new SetupError(`${path} was changed by somebody else just now; try again`);
}

/** Whether the files hold the entry that the plan wanted, whatever else a command wrote. */
function isAsPlanned({ harness, entry, changes }: Plan): boolean {
  return changes.every(({ path }) => {
    const setup = harnesses[harness];
    try {
      const found = entryIn(asHarnessReads(harness, path, readText(path), entry.name), entry.name);
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
