// `state/harness-setup.json`: what stood in a file before setup changed it, and what setup made of it, so that
// `leo harness remove` can put the old text back, byte for byte.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writePrivately } from '../../config/private-file.js';
import { isObject } from '../../wire/json.js';
import { SetupError } from '../setup-error.js';

/** What is known of one file. */
export interface FileRecord {
  readonly harness: string;
  readonly scope: string;
  /** The text of before; null where there was no file. */
  readonly before: string | null;
  /** Whether the object around the entry was made with it. */
  readonly madeParent: boolean;
  /** Folders that were made for the file, the outermost first. */
  readonly madeFolders: readonly string[];
  /** The hash of the text that setup left. */
  readonly after: string;
}

/** What is known, by the path of the file. */
export type Records = Readonly<Record<string, FileRecord>>;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads what is known.
 *
 * @throws {SetupError} where the file is there but cannot be used: writing it anew would lose the texts in it.
 */
export function readRecords(path: string): Records {
  const mend = `move it away, then try again; the texts of before are in it`;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    const why = error instanceof Error ? error.message : error;
    throw new SetupError(`${path} cannot be read: ${why}; ${mend}`, { cause: error });
  }
  if (!isObject(value) || value.version !== 1 || !isObject(value.files)) {
    throw new SetupError(`${path} is not of this version of Leo; ${mend}`);
  }
  return Object.fromEntries(
    Object.entries(value.files).map(([file, record]) => {
      const read = recordOf(record);
      if (read === undefined)
        throw new SetupError(`${path}: what it says of ${file} is not complete; ${mend}`);
      return [file, read];
    }),
  );
}

/** Writes what is known, with or without a record for one file. */
export function writeRecord(path: string, file: string, record: FileRecord | undefined): void {
  const { [file]: _, ...others } = readRecords(path);
  const records: Records = record === undefined ? others : { ...others, [file]: record };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const files = Object.fromEntries(Object.entries(records).map(([at, one]) => [at, toWire(one)]));
    writePrivately(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new SetupError(`${path} cannot be written: ${why}; nothing was changed`, { cause: error });
  }
}

function toWire({ harness, scope, before, madeParent, madeFolders, after }: FileRecord): unknown {
  return {
    harness,
    scope,
    before,
    made_parent: madeParent,
    made_folders: madeFolders,
    after_sha256: after,
  };
}

function recordOf(value: unknown): FileRecord | undefined {
  if (!isObject(value)) return undefined;
  const { harness, scope, before, made_parent, made_folders, after_sha256 } = value;
  if (typeof harness !== 'string' || typeof scope !== 'string' || typeof after_sha256 !== 'string')
    return undefined;
  if (before !== null && typeof before !== 'string') return undefined;
  if (typeof made_parent !== 'boolean' || !Array.isArray(made_folders)) return undefined;
  const madeFolders = made_folders.filter((folder): folder is string => typeof folder === 'string');
  return { harness, scope, before, madeParent: made_parent, madeFolders, after: after_sha256 };
}
