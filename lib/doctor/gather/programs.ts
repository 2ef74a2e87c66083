// tmux and the harnesses, as they are installed. Each program is asked at the same time, and none is waited for long.

import { readFileSync } from 'node:fs';
import { isNewEnough } from '../../broker/tmux/run-tmux.js';
import type { Config } from '../../config/config.js';
import { HarnessCapsError } from '../../config/harness-caps.js';
import type { Places } from '../../config/paths.js';
import { readSeenHarnesses } from '../../config/seen-harnesses.js';
import {
  findProgram,
  type HarnessLook,
  harnessNames,
  harnessTable,
  type KnownHarness,
  type LookOptions,
  lookAt,
  whatSays,
} from '../../setup/index.js';
import type { TmuxFacts } from '../facts.js';

/** How long a program may take to say its version, in milliseconds. */
const versionWithinMs = 5000;

/** @param path as in the variable PATH. */
export async function tmuxOf(path: string | undefined): Promise<TmuxFacts> {
  const program = findProgram('tmux', path);
  if (program === undefined) return { kind: 'missing' };
  const version = (await whatSays(program, ['-V'], versionWithinMs)).trim();
  if (version === '') return { kind: 'silent', path: program };
  return { kind: 'found', path: program, version, enough: isNewEnough(version) ?? null };
}

/** Programs that install others, and what each is told. */
const installers = [
  ['brew', 'brew install tmux'],
  ['apt', 'sudo apt install tmux'],
  ['dnf', 'sudo dnf install tmux'],
  ['pacman', 'sudo pacman -S tmux'],
  ['zypper', 'sudo zypper install tmux'],
  ['apk', 'sudo apk add tmux'],
  ['port', 'sudo port install tmux'],
] as const;

/**
 * What installs tmux, or a newer one.
 *
 * @param path as in the variable PATH.
 */
export function installTmuxBy(path: string | undefined): string | null {
  return installers.find(([program]) => findProgram(program, path) !== undefined)?.[1] ?? null;
}

export interface HarnessesFound {
  readonly harnesses: readonly HarnessLook[];
  /** What is wrong with LEO_HOME/harnesscaps.json; the built-in table then counts alone. */
  readonly fault: string | null;
}

/** @param builtIn Leo's own harnesscaps.json. */
export async function harnessesOf(
  places: Places,
  config: Config | undefined,
  builtIn: readonly KnownHarness[],
  options: Omit<LookOptions, 'versionWithinMs'>,
): Promise<HarnessesFound> {
  const { table, fault } = tableOf(places, builtIn);
  const overrides = Object.fromEntries(
    Object.entries(config?.harnesses ?? {}).map(([name, { tools }]) => [name, tools]),
  );
  const knowledge = { table, overrides, seen: readSeenHarnesses(places.seenHarnesses) };
  const harnesses = await Promise.all(
    harnessNames.map((name) => lookAt(name, knowledge, { ...options, versionWithinMs })),
  );
  return { harnesses, fault };
}

function tableOf({ harnessCaps }: Places, builtIn: readonly KnownHarness[]) {
  let text: string | undefined;
  try {
    text = readFileSync(harnessCaps, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { table: builtIn, fault: null };
    return { table: builtIn, fault: `${harnessCaps} cannot be read: ${String(error)}` };
  }
  try {
    return { table: harnessTable(builtIn, text, harnessCaps), fault: null };
  } catch (error) {
    if (!(error instanceof HarnessCapsError)) throw error;
    return { table: builtIn, fault: error.message };
  }
}
