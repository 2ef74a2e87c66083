// `leo harness list`: which harnesses are there, which of them start Leo, and how they are shown app tools.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import caps from '../../../harnesscaps.json' with { type: 'json' };
import { ConfigError, parseConfig } from '../../config/config.js';
import {
  HarnessCapsError,
  type HarnessEntry,
  overlayHarnesses,
  parseHarnessOverlay,
} from '../../config/harness-caps.js';
import { isHarnessNamed } from '../../config/harness-pattern.js';
import { type Places, placesOf } from '../../config/paths.js';
import { readSeenHarnesses, type SeenHarness, seenToRelist } from '../../config/seen-harnesses.js';
import {
  findEntry,
  findProgram,
  type HarnessName,
  harnesses,
  harnessNames,
  type Points,
  pointsAt,
  programVersion,
  type Scope,
  SetupError,
  serverName,
} from '../../setup/index.js';
import { CliError } from '../failure.js';
import { lineWidth, say, sayJson } from '../output.js';
import { table } from '../table.js';
import { installation, surroundings } from './place.js';

/** One scope of one harness in which an entry was found, or could not be looked for. */
interface SetUp {
  readonly scope: Scope;
  readonly path: string | null;
  readonly points: Points | null;
  /** What the entry starts. */
  readonly command: readonly string[];
  readonly error: string | null;
}

interface Row {
  readonly name: HarnessName;
  readonly program: string | null;
  readonly version: string | null;
  /** How harnesscaps.json says that it is to be served, or leo.yaml where that says otherwise. */
  readonly tools: 'native' | 'fallback';
  /** What its sessions were seen to do, version by version. */
  readonly seen: readonly { readonly version: string; readonly relists: boolean }[];
  readonly set_up: readonly SetUp[];
}

export function addListCommand(harness: Command): void {
  harness
    .command('list')
    .description('list the harnesses that Leo knows: which are there, and which are set up')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const places = placesOf(process.env);
      const known = knowledge(places);
      const rows = await Promise.all(harnessNames.map((name) => look(name, known)));
      if (json) return sayJson({ harnesses: rows });
      const head = ['HARNESS', 'VERSION', 'TOOLS', 'SEEN IN USE', 'SET UP'];
      say(table(head, rows.map(cells), lineWidth()));
      const next = rows.find((row) => row.program !== null && row.set_up.length === 0)?.name ?? 'NAME';
      say('', `Set one up: leo harness setup ${next}   (any other harness: leo harness setup print)`);
    });
}

/** What is said and seen of harnesses: the table with its overlay, leo.yaml, and the daemon's own sightings. */
interface Knowledge {
  readonly table: readonly Pick<HarnessEntry, 'name' | 'names' | 'relists'>[];
  readonly overrides: Readonly<Record<string, 'native' | 'fallback' | undefined>>;
  readonly seen: readonly SeenHarness[];
}

/** @throws {CliError} where one of the user's files cannot be used. */
function knowledge(places: Places): Knowledge {
  try {
    const overlay = textOf(places.harnessCaps);
    const config = parseConfig(textOf(places.config) ?? '', places.config);
    return {
      table:
        overlay === undefined
          ? caps.harnesses
          : overlayHarnesses(caps.harnesses, parseHarnessOverlay(overlay, places.harnessCaps).harnesses),
      overrides: Object.fromEntries(
        Object.entries(config.harnesses).map(([name, { tools }]) => [name, tools]),
      ),
      seen: readSeenHarnesses(places.seenHarnesses),
    };
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof HarnessCapsError)) throw error;
    throw new CliError(error.message, 1, { cause: error });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CliError(`${path} cannot be read: ${String(error)}`, 1, { cause: error });
  }
}

async function look(name: HarnessName, { table, overrides, seen }: Knowledge): Promise<Row> {
  const { program, clientName } = harnesses[name];
  const path = findProgram(program, process.env.PATH);
  const entry = table.find((one) => one.name === name);
  const names = [name, ...(entry?.names ?? [clientName])];
  // As the gateway finds it: by the name in `clientInfo`, or the one in the table.
  const override = Object.entries(overrides).find(
    ([pattern]) => isHarnessNamed(pattern, clientName) || pattern === name,
  )?.[1];
  return {
    name,
    program: path ?? null,
    version: path === undefined ? null : await programVersion(path),
    tools: override ?? (entry?.relists === true ? 'native' : 'fallback'),
    seen: seen
      .filter((one) => names.some((pattern) => isHarnessNamed(pattern, one.name)))
      .map((one) => ({ version: one.version, relists: seenToRelist(one) })),
    set_up: (await Promise.all([lookIn(name, 'user'), lookIn(name, 'project')])).flat(),
  };
}

async function lookIn(name: HarnessName, scope: Scope): Promise<readonly SetUp[]> {
  const around = surroundings();
  if (harnesses[name].place(scope, around) === undefined) return [];
  try {
    const found = await findEntry(name, serverName, scope, around);
    if (found === undefined) return [];
    const { path, entry } = found;
    const command = [entry.command, ...entry.args];
    return [{ scope, path, points: pointsAt(entry, installation()), command, error: null }];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return [{ scope, path: null, points: null, command: [], error: error.message }];
  }
}

function cells({ name, program, version, tools, seen, set_up }: Row): readonly string[] {
  const places = set_up.map(({ scope, path, points, command, error }) => {
    if (error !== null) return error;
    if (points === 'this') return `${scope}: ${path}`;
    const what = {
      another: `starts another Leo, ${command[1]}`,
      missing: `starts ${command[0]} ${command[1]}, which is gone`,
      'not leo': 'is not Leo',
    };
    return points === null ? '' : `${scope}: ${path} ${what[points]}`;
  });
  return [
    name,
    program === null ? 'not on PATH' : (version ?? 'not known'),
    tools,
    seen.length === 0
      ? '-'
      : seen.map((one) => `${one.version}: ${one.relists ? 're-lists' : 'does not re-list'}`).join(', '),
    places.length === 0 ? 'no' : places.join('; '),
  ];
}
