// `leo harness list`: which harnesses are there, which of them start Leo, and how they are shown app tools.

import type { Command } from 'commander';
import caps from '../../../harnesscaps.json' with { type: 'json' };
import { treatmentOf } from '../../gateway/harness/caps.js';
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
  readonly tools: 'native' | 'fallback';
  readonly set_up: readonly SetUp[];
}

export function addListCommand(harness: Command): void {
  harness
    .command('list')
    .description('list the harnesses that Leo knows: which are there, and which are set up')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await Promise.all(harnessNames.map(look));
      if (json) return sayJson({ harnesses: rows });
      const head = ['HARNESS', 'VERSION', 'TOOLS', 'SET UP'];
      say(table(head, rows.map(cells), lineWidth()));
      const next = rows.find((row) => row.program !== null && row.set_up.length === 0)?.name ?? 'NAME';
      say('', `Set one up: leo harness setup ${next}   (any other harness: leo harness setup print)`);
    });
}

async function look(name: HarnessName): Promise<Row> {
  const { program, clientName } = harnesses[name];
  const path = findProgram(program, process.env.PATH);
  return {
    name,
    program: path ?? null,
    version: path === undefined ? null : await programVersion(path),
    tools: treatmentOf(caps, {}, clientName, false).mode,
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

function cells({ name, program, version, tools, set_up }: Row): readonly string[] {
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
    places.length === 0 ? 'no' : places.join('; '),
  ];
}
