// What can be said of a harness on this machine: whether it is there, which version it is, what it starts for Leo, and
// how it is to be served. Reads files and asks programs for their version; changes nothing.

import { type HarnessEntry, overlayHarnesses, parseHarnessOverlay } from '../config/harness-caps.js';
import { isHarnessNamed } from '../config/harness-pattern.js';
import { type SeenHarness, seenToRelist } from '../config/seen-harnesses.js';
import { findProgram } from './disk/find-program.js';
import { programVersion } from './disk/program-version.js';
import { harnesses } from './harnesses.js';
import { type Installation, type Points, pointsAt, serverName } from './leo-entry.js';
import { findEntry } from './plan.js';
import { SetupError } from './setup-error.js';
import type { HarnessName, Scope, Surroundings } from './types.js';

type ToolMode = 'native' | 'fallback';

/** One scope of one harness in which an entry was found, or could not be looked for. */
export interface SetUp {
  readonly scope: Scope;
  readonly path: string | null;
  readonly points: Points | null;
  /** What the entry starts. */
  readonly command: readonly string[];
  readonly error: string | null;
}

export interface HarnessLook {
  readonly name: HarnessName;
  readonly program: string | null;
  readonly version: string | null;
  /** The version that harnesscaps.json speaks of. */
  readonly measured: string | null;
  /** How harnesscaps.json says that it is to be served, or leo.yaml where that says otherwise. */
  readonly tools: ToolMode;
  /** What its sessions were seen to do, version by version. */
  readonly seen: readonly { readonly version: string; readonly relists: boolean }[];
  readonly set_up: readonly SetUp[];
}

/** What is needed of an entry of harnesscaps.json. */
export type KnownHarness = Pick<HarnessEntry, 'name' | 'names' | 'relists'> & { readonly version?: string };

/** What is said and seen of harnesses: the table with its overlay, leo.yaml, and the daemon's own sightings. */
export interface Knowledge {
  readonly table: readonly KnownHarness[];
  readonly overrides: Readonly<Record<string, ToolMode | undefined>>;
  readonly seen: readonly SeenHarness[];
}

/**
 * The table of harnesses, with what LEO_HOME/harnesscaps.json says of them.
 *
 * @param builtIn Leo's own table.
 * @param overlay the text of that file; undefined where there is none.
 * @param file how errors name it.
 * @throws {HarnessCapsError}
 */
export function harnessTable(
  builtIn: readonly KnownHarness[],
  overlay: string | undefined,
  file: string,
): readonly KnownHarness[] {
  return overlay === undefined
    ? builtIn
    : overlayHarnesses(builtIn, parseHarnessOverlay(overlay, file).harnesses);
}

/** Where to look, which Leo is meant, and how long a program may take to say its version, in milliseconds. */
export interface LookOptions {
  readonly surroundings: Surroundings;
  readonly installation: Installation;
  readonly versionWithinMs?: number;
}

/** Looks at one harness. */
export async function lookAt(
  name: HarnessName,
  { table, overrides, seen }: Knowledge,
  options: LookOptions,
): Promise<HarnessLook> {
  const { program, clientName } = harnesses[name];
  const path = findProgram(program, options.surroundings.env.PATH);
  const entry = table.find((one) => one.name === name);
  const names = [name, ...(entry?.names ?? [clientName])];
  // As the gateway finds it: by the name in `clientInfo`, or the one in the table.
  const override = Object.entries(overrides).find(
    ([pattern]) => isHarnessNamed(pattern, clientName) || pattern === name,
  )?.[1];
  const [version, ...set_up] = await Promise.all([
    path === undefined ? null : programVersion(path, options.versionWithinMs),
    lookIn(name, 'user', options),
    lookIn(name, 'project', options),
  ]);
  return {
    name,
    program: path ?? null,
    version,
    measured: entry?.version ?? null,
    tools: override ?? (entry?.relists === true ? 'native' : 'fallback'),
    seen: seen
      .filter((one) => names.some((pattern) => isHarnessNamed(pattern, one.name)))
      .map((one) => ({ version: one.version, relists: seenToRelist(one) })),
    set_up: set_up.flat(),
  };
}

async function lookIn(
  name: HarnessName,
  scope: Scope,
  { surroundings, installation }: LookOptions,
): Promise<readonly SetUp[]> {
  if (harnesses[name].place(scope, surroundings) === undefined) return [];
  try {
    const found = await findEntry(name, serverName, scope, surroundings);
    if (found === undefined) return [];
    const { path, entry } = found;
    const command = [entry.command, ...entry.args];
    return [
      { scope, path, points: pointsAt(entry, installation, surroundings.env.PATH), command, error: null },
    ];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return [{ scope, path: null, points: null, command: [], error: error.message }];
  }
}
