// What setting up a harness, or undoing that, would change. Reads the disk and changes nothing.

import { isDeepStrictEqual } from 'node:util';
import { mustBeWritable, readText } from './disk/config-file.js';
import { findProgram } from './disk/find-program.js';
import type { Values } from './entry-shape.js';
import { type HarnessSetup, harnesses, type Place } from './harnesses.js';
import { SetupError } from './setup-error.js';
import { type Document, documentOf, entryIn, withEntry, withoutEntry } from './text/document.js';
import type { HarnessName, OwnCommand, Plan, Scope, ServerEntry, Surroundings } from './types.js';

/** An entry that a harness's configuration holds. */
export interface FoundEntry {
  readonly path: string;
  readonly entry: ServerEntry;
  /** The entry as it stands in the file. */
  readonly values: Values;
}

/** What setup knows of a file that it changed before. */
export interface Before {
  /** The entry that stood there. */
  readonly entry: Values | undefined;
  readonly madeParent: boolean;
  readonly madeFile: boolean;
}

/**
 * What writing an entry into a harness's configuration changes.
 *
 * @throws {SetupError} where the file cannot or must not be changed, or the harness has no such scope.
 */
export async function planEntry(
  harness: HarnessName,
  entry: ServerEntry,
  scope: Scope,
  surroundings: Surroundings,
): Promise<Plan> {
  const setup = harnesses[harness];
  const document = currentDocument(harness, scope, surroundings, entry.name);
  mustBeWritable(document.path, harness);
  const old = entryIn(document, entry.name);
  const values = valuesFor(setup, entry, old);
  const after = withEntry(document, entry.name, values);
  const changes = after === document.text ? [] : [{ path: document.path, before: document.text, after }];
  const own = setup.own?.[scope];
  const written = entryIn(
    documentOf(document.path, after, setup, formatOf(document), entry.name),
    entry.name,
  );
  const argv =
    own === undefined || written === undefined || changes.length === 0
      ? []
      : [...(old === undefined ? [] : [own.remove(entry.name)]), own.add(entry.name, written)];
  return {
    harness,
    scope,
    changes,
    command: ownCommand(argv, surroundings),
    entry: { name: entry.name, values: written },
  };
}

/**
 * What taking Leo's entry out again changes, where the file is not as setup left it.
 *
 * @param before what setup found when it came.
 */
export async function planRemoval(
  harness: HarnessName,
  name: string,
  scope: Scope,
  surroundings: Surroundings,
  before: Before = { entry: undefined, madeParent: false, madeFile: false },
): Promise<Plan> {
  const setup = harnesses[harness];
  const document = currentDocument(harness, scope, surroundings, name);
  const plan = { harness, scope, entry: { name, values: before.entry } };
  if (entryIn(document, name) === undefined) return { ...plan, changes: [], command: undefined };
  mustBeWritable(document.path, harness);
  const after = withoutEntry(document, name, before.entry, before.madeParent);
  const rest = documentOf(document.path, after, setup, formatOf(document), name).value;
  const gone = before.madeFile && isDeepStrictEqual(Object.keys(rest), []) && !/[#/]/.test(after);
  const own = setup.own?.[scope];
  const argv =
    own === undefined
      ? []
      : [own.remove(name), ...(before.entry === undefined ? [] : [own.add(name, before.entry)])];
  return {
    ...plan,
    changes: [{ path: document.path, before: document.text, after: gone ? null : after }],
    command: gone ? undefined : ownCommand(argv, surroundings),
  };
}

/** The entry of a name in a harness's configuration, or undefined. */
export async function findEntry(
  harness: HarnessName,
  name: string,
  scope: Scope,
  surroundings: Surroundings,
): Promise<FoundEntry | undefined> {
  const document = currentDocument(harness, scope, surroundings, name);
  const values = entryIn(document, name);
  if (values === undefined) return undefined;
  return { path: document.path, values, entry: { name, ...harnesses[harness].read(values) } };
}

/** The limit that the user has raised for an entry, or for all servers, in seconds. */
export function raisedLimit(
  harness: HarnessName,
  name: string,
  scope: Scope,
  surroundings: Surroundings,
  usualS: number,
): number | undefined {
  const setup = harnesses[harness];
  const document = currentDocument(harness, scope, surroundings, name);
  const values = entryIn(document, name);
  const set = [
    values === undefined ? undefined : setup.read(values).callLimitS,
    setup.limitElsewhere?.(document.value),
  ];
  return set.find((limit) => limit !== undefined && limit > Math.min(setup.limitS, usualS));
}

/** An entry alone, as the file of a harness would hold it. */
export function entryText(harness: HarnessName, entry: ServerEntry, surroundings: Surroundings): string {
  const setup = harnesses[harness];
  const place = placeFor(harness, 'user', surroundings);
  const document = documentOf(place.made, null, setup, place, entry.name);
  return withEntry(document, entry.name, valuesFor(setup, entry, undefined));
}

function placeFor(harness: HarnessName, scope: Scope, surroundings: Surroundings): Place {
  const found = harnesses[harness].place(scope, surroundings);
  if (found !== undefined) return found;
  throw new SetupError(`${harness} has no ${scope} scope: leave out \`--scope ${scope}\``);
}

/** The file that an entry is in, or is to be put in, as it is now. */
export function currentDocument(
  harness: HarnessName,
  scope: Scope,
  surroundings: Surroundings,
  name: string,
): Document {
  const place = placeFor(harness, scope, surroundings);
  const read = (path: string) => documentOf(path, readText(path), harnesses[harness], place, name);
  const files = place.paths.map(read);
  const overriding = place.overrides.map(read);
  return (
    [...overriding, ...files].find((file) => entryIn(file, name) !== undefined) ??
    files.find((file) => file.text !== null) ??
    read(place.made)
  );
}

/** What a file of a harness would say if it held a text. */
export function documentWith(
  harness: HarnessName,
  scope: Scope,
  surroundings: Surroundings,
  name: string,
  path: string,
  text: string | null,
): Document {
  return documentOf(path, text, harnesses[harness], placeFor(harness, scope, surroundings), name);
}

function formatOf({ path, format }: Document): Place {
  return { paths: [], overrides: [], made: path, format };
}

/** What is written for an entry over what stands there: the variables of the user's own stay. */
function valuesFor(setup: HarnessSetup, entry: ServerEntry, old: Values | undefined): Values {
  const { LEO_HOME: _, ...others } = old === undefined ? {} : setup.read(old).env;
  const values = setup.write({ ...entry, env: { ...others, ...entry.env } });
  const key = 'environment' in values ? 'environment' : 'env';
  // No variables need no key, unless the user has one.
  const none = Object.keys(values[key] ?? {}).length === 0 && Object.keys(old?.[key] ?? {}).length !== 0;
  const empty = Object.keys(values[key] ?? {}).length === 0 && old?.[key] === undefined;
  return none || empty ? { ...values, [key]: undefined } : values;
}

function ownCommand(
  argv: readonly (readonly string[])[],
  { home, project, env }: Surroundings,
): OwnCommand | undefined {
  const [first] = argv;
  const program = first?.[0] === undefined ? undefined : findProgram(first[0], env.PATH);
  if (program === undefined) return undefined;
  return {
    argv: argv.map(([, ...args]) => [program, ...args]),
    cwd: project,
    // It is to write one entry: no updates, no reports.
    env: { ...env, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  };
}
