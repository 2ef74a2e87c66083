// Configuration files as they lie on the disk: read only where they could also be written, and written as a whole.

import {
  accessSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../config/private-file.js';
import { SetupError } from '../setup-error.js';

/**
 * A file's text, or null where there is none.
 *
 * @throws {SetupError} where there is something else than a file of text.
 */
export function readText(path: string): string | null {
  // A link to nowhere: what reads it finds no file, what would change it says that it is a link.
  const found = statOf(path, true);
  if (found === undefined) return null;
  if (found.isDirectory()) throw new SetupError(`${path} is a folder, not a file; move it away`);
  // To read a pipe is to wait for ever.
  if (!found.isFile()) throw new SetupError(`${path} is not a file; move it away`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null; // It went in this moment.
    throw cannot(path, 'be read', error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SetupError(`${path} is not UTF-8 text; save it as UTF-8, then try again`, { cause: error });
  }
}

/**
 * Checks that a file, or the folder that it is to be made in, may be changed.
 *
 * A link is not followed: the file behind it may be shared, or under version control.
 *
 * @param harness whose it is, for the mend; undefined for a file that is no harness's.
 * @throws {SetupError} with the reason and the mend.
 */
export function mustBeWritable(path: string, harness?: string): void {
  const found = statOf(path);
  if (found?.isSymbolicLink()) {
    const mend =
      harness === undefined
        ? 'name that file'
        : `put in by hand what \`leo harness setup print ${harness}\` shows, or put a file in the link's place`;
    throw new SetupError(`${path} is a link to ${readlinkSync(path)}, which Leo does not follow: ${mend}`);
  }
  if (found !== undefined && !found.isFile()) throw new SetupError(`${path} is not a file; move it away`);
  // The mode is looked at too: to root every file is writable.
  if (found !== undefined && ((found.mode & 0o200) === 0 || !isWritable(path))) {
    throw new SetupError(`${path} is read-only: chmod u+w ${path}`);
  }
  let folder = dirname(path);
  let place = statOf(folder, true);
  while (place === undefined && folder !== dirname(folder)) {
    folder = dirname(folder);
    place = statOf(folder, true);
  }
  if (place?.isDirectory() === false) throw new SetupError(`${folder} is not a folder; move it away`);
  if (place === undefined || (place.mode & 0o200) === 0 || !isWritable(folder)) {
    throw new SetupError(`${folder} is read-only: chmod u+w ${folder}`);
  }
}

/** The folders above a file that are not there yet, the outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); statOf(folder, true) === undefined; folder = dirname(folder)) {
    if (folder === dirname(folder)) break;
    missing.unshift(folder);
  }
  return missing;
}

/** Writes a file as a whole, with the mode and owner that it has; a new one is the user's alone. */
export function writeText(path: string, text: string): void {
  const found = statOf(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, text, (file) => {
      if (found !== undefined) keepOwner(file, found);
    });
  } catch (error) {
    throw cannot(path, 'be written', error);
  }
}

/** Takes a file away, and those of the folders, innermost last, that are empty then. */
export function removeFile(path: string, folders: readonly string[]): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw cannot(path, 'be taken away', error);
  }
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Something else stands in it now.
    }
  }
}

function keepOwner(file: number, found: Stats): void {
  if (found.uid !== process.getuid?.() || found.gid !== process.getgid?.()) {
    try {
      fchownSync(file, found.uid, found.gid);
    } catch {
      // Only root may; the file then is the user's, which it was writable for.
    }
  }
  fchmodSync(file, found.mode & 0o7777);
}

function statOf(path: string, follow = false): Stats | undefined {
  try {
    return (follow ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw cannot(path, 'be looked at', error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function cannot(path: string, what: string, error: unknown): SetupError {
  const why = error instanceof Error ? error.message : String(error);
  return new SetupError(`${path} cannot ${what}: ${why}`, { cause: error });
}
