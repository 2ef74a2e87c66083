// leo.yaml and the tokens of a home, as the commands change them: one command at a time, each file as a whole.

import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, parseConfig } from '../../config/config.js';
import { ownFolder, privateFolder } from '../../config/folders.js';
import { takeLockFile } from '../../config/lock-file.js';
import type { Places } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { writePrivately } from '../../config/private-file.js';
import { scopedNameFault } from '../../config/scoped-name.js';
import { makeToken } from '../../config/token-file.js';
import { CliError, misuse } from '../failure.js';

/** How long another command may hold the lock, in milliseconds. */
const lockPatienceMs = 60_000;

/** Runs a change of the home while no other command changes it; makes the home if it is not there. */
export async function changing<T>(places: Places, change: () => T | Promise<T>): Promise<T> {
  return await orFailure(async () => {
    privateFolder(places.home);
    ownFolder(places.state);
    const release = await takeLockFile(places.editLock, { patienceMs: lockPatienceMs });
    try {
      return await change();
    } finally {
      release();
    }
  });
}

/** What is wrong with the home or its files, as the failure of a command. */
export async function orFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlaceError || error instanceof ConfigError || isSystemError(error))
      throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** @throws {CliError} misused, for a name that cannot be one. */
export function checkName(what: 'client' | 'device', name: string): void {
  const fault = scopedNameFault(what, name);
  if (fault !== undefined) throw misuse(fault);
}

/** leo.yaml: its text, empty where there is none, and what it says. */
export function readSettings(places: Places): { readonly text: string; readonly config: Config } {
  const found = lstatSync(places.config, { throwIfNoEntry: false });
  const text = found === undefined ? '' : textIn(places.config);
  return { text, config: parseConfig(text, places.config) };
}

/** A file that is no UTF-8 would not come back as it was. */
function textIn(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new PlaceError(`${path} is not UTF-8 text; save it as UTF-8, then try again`);
  return bytes.toString('utf8');
}

/** Puts a new text into leo.yaml; where that is a link, into the file behind it. */
export function writeSettings(places: Places, text: string): void {
  const found = lstatSync(places.config, { throwIfNoEntry: false });
  const path = found?.isSymbolicLink() ? realpathSync(places.config) : places.config;
  const mode = found === undefined ? 0o600 : lstatSync(path).mode & 0o777;
  if ((mode & 0o200) === 0) throw new PlaceError(`${path} is read-only: chmod u+w ${path}`);
  writePrivately(path, text, mode);
}

export function tokenPath(folder: string, name: string): string {
  return join(folder, `${name}.token`);
}

/** Whether there is anything where a token would be. */
export function hasToken(folder: string, name: string): boolean {
  return lstatSync(tokenPath(folder, name), { throwIfNoEntry: false }) !== undefined;
}

/** Makes the token of a name, in a folder that is made with it. */
export function newToken(folder: string, name: string): string {
  ownFolder(folder);
  return makeToken(tokenPath(folder, name));
}

/** Takes the token of a name away, whatever is there in its place. */
export function dropToken(folder: string, name: string): void {
  rmSync(tokenPath(folder, name), { force: true, recursive: true });
}
