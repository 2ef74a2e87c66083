// Where this process stands: which Leo it is, whose home and which project it is about. What the harness commands
// share in reading their arguments.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { placesOf } from '../../config/paths.js';
import {
  type HarnessName,
  harnessNames,
  type Installation,
  lastingPath,
  SetupError,
  type Surroundings,
} from '../../setup/index.js';
import { CliError, misuse } from '../failure.js';

export function surroundings(): Surroundings {
  return { home: homedir(), project: process.cwd(), env: process.env };
}

/** This Leo. */
export function installation(): Installation {
  const { home } = placesOf(process.env);
  return {
    node: lastingPath(process.execPath),
    leo: lastingPath(realpathSync(process.argv[1] ?? '')),
    home: home === join(homedir(), '.leo') ? undefined : home,
  };
}

/** The file that remembers what was there before. */
export function recordsPath(): string {
  return placesOf(process.env).harnessSetup;
}

export function scopeOption(): Option {
  return new Option('--scope <scope>', 'for all your projects, or for the one of this folder')
    .choices(['user', 'project'])
    .default('user');
}

/** @throws {CliError} with exit code 2 for a name that is none. */
export function harnessNamed(name: string): HarnessName {
  const found = harnessNames.find((one) => one === name);
  if (found !== undefined) return found;
  throw misuse(
    `unknown harness ${JSON.stringify(name)}: one of ${harnessNames.join(', ')}; for any other: leo harness setup print`,
  );
}

/** Says what kept a setup from being done. */
export async function orFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SetupError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}
