// Setting a harness up and undoing it, with a record of what was there before.
//
// The record is written first: a crash in between leaves a record too many, which does no harm, and never a file
// whose old text is lost.

import { applyPlan } from './apply.js';
import { missingFolders, readText } from './disk/config-file.js';
import { type FileRecord, hashOf, type Records, readRecords, writeRecord } from './disk/record.js';
import { harnesses } from './harnesses.js';
import { type Before, currentDocument, documentWith, planEntry, planRemoval } from './plan.js';
import { SetupError } from './setup-error.js';
import { entryIn } from './text/document.js';
import type { FileChange, HarnessName, Plan, Scope, ServerEntry, Surroundings } from './types.js';

/** A plan, and what does it. */
export interface Prepared {
  readonly plan: Plan;
  run(): Promise<void>;
}

/** One harness in one scope, and the file of records. */
export interface Target {
  readonly harness: HarnessName;
  readonly scope: Scope;
  readonly surroundings: Surroundings;
  readonly records: string;
}

/** What setting a harness up would change. */
export async function prepareSetup(target: Target, entry: ServerEntry): Promise<Prepared> {
  const { harness, scope, surroundings } = target;
  const records = readRecords(target.records);
  const plan = await planEntry(harness, entry, scope, surroundings);
  const [change] = plan.changes;
  if (change === undefined) return { plan, run: async () => undefined };
  const old = recordAt(records, change.path);
  const record = await recordFor(target, entry.name, change, old);
  return {
    plan,
    run: async () => {
      writeRecord(target.records, change.path, record);
      await applyPlan(plan).catch((error: unknown) => {
        writeRecord(target.records, change.path, old);
        throw error;
      });
      // A harness's own command may have written more than the entry.
      const left = readText(change.path);
      if (left !== null && left !== change.after) {
        writeRecord(target.records, change.path, { ...record, after: hashOf(left) });
      }
    },
  };
}

/** What undoing that would change: no file where there is nothing to undo. */
export async function prepareRemoval(target: Target, name: string): Promise<Prepared> {
  const { harness, scope, surroundings } = target;
  const document = currentDocument(harness, scope, surroundings, name);
  const { path, text } = document;
  const record = recordAt(readRecords(target.records), path);
  const values = entryIn(document, name);
  if (values !== undefined && record === undefined && !runsLeo(harnesses[harness].read(values).args)) {
    throw new SetupError(
      `${path}: the entry "${name}" was not written by \`leo harness setup\` and does not start Leo; take it out by hand`,
    );
  }
  const before = record === undefined ? undefined : beforeOf(target, name, path, record);
  const plan: Plan =
    record !== undefined && text !== null && hashOf(text) === record.after
      ? {
          harness,
          scope,
          changes: [{ path, before: text, after: record.before }],
          command: undefined,
          entry: { name, values: before?.entry },
        }
      : await planRemoval(harness, name, scope, surroundings, before);
  return {
    plan,
    run: async () => {
      await applyPlan(plan, record?.madeFolders);
      if (record !== undefined) writeRecord(target.records, path, undefined);
    },
  };
}

/** What is to be remembered of a file that is about to be changed. */
async function recordFor(
  target: Target,
  name: string,
  { path, before, after }: FileChange,
  old: FileRecord | undefined,
): Promise<FileRecord> {
  const { harness, scope, surroundings } = target;
  const left = hashOf(after ?? '');
  if (old === undefined || before === null) {
    const document = documentWith(harness, scope, surroundings, name, path, before);
    const madeParent = document.value[document.servers] === undefined;
    return { harness, scope, before, madeParent, madeFolders: missingFolders(path), after: left };
  }
  if (hashOf(before) === old.after) return { ...old, after: left };
  // Somebody has changed it since: what they made of it, without Leo's entry, is what was there before.
  const removal = await planRemoval(harness, name, scope, surroundings, beforeOf(target, name, path, old));
  const [change] = removal.changes;
  return { ...old, before: change === undefined ? before : change.after, after: left };
}

function beforeOf(
  { harness, scope, surroundings }: Target,
  name: string,
  path: string,
  { before, madeParent }: FileRecord,
): Before {
  const document = documentWith(harness, scope, surroundings, name, path, before);
  return { entry: entryIn(document, name), madeParent, madeFile: before === null };
}

function recordAt(records: Records, path: string): FileRecord | undefined {
  return Object.hasOwn(records, path) ? records[path] : undefined;
}

function runsLeo(args: readonly string[]): boolean {
  return args.includes('mcp-server');
}
