// `leo harness list`: which harnesses are there, which of them start Leo, and how they are shown app tools.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import caps from '../../../harnesscaps.json' with { type: 'json' };
import { ConfigError, parseConfig } from '../../config/config.js';
import { HarnessCapsError } from '../../config/harness-caps.js';
import { type Places, placesOf } from '../../config/paths.js';
import { readSeenHarnesses } from '../../config/seen-harnesses.js';
import { type HarnessLook, harnessNames, harnessTable, type Knowledge, lookAt } from '../../setup/index.js';
import { CliError } from '../failure.js';
import { lineWidth, say, sayJson } from '../output.js';
import { table } from '../table.js';
import { installation, surroundings } from './place.js';

export function addListCommand(harness: Command): void {
  harness
    .command('list')
    .description('list the harnesses that Leo knows: which are there, and which are set up')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const places = placesOf(process.env);
      const known = knowledge(places);
      const options = { surroundings: surroundings(), installation: installation() };
      const rows = await Promise.all(harnessNames.map((name) => lookAt(name, known, options)));
      if (json) return sayJson({ harnesses: rows });
      const head = ['HARNESS', 'VERSION', 'TOOLS', 'SEEN IN USE', 'SET UP'];
      say(table(head, rows.map(cells), lineWidth()));
      const next = rows.find((row) => row.program !== null && row.set_up.length === 0)?.name ?? 'NAME';
      say('', `Set one up: leo harness setup ${next}   (any other harness: leo harness setup print)`);
    });
}

/** @throws {CliError} where one of the user's files cannot be used. */
function knowledge(places: Places): Knowledge {
  try {
    const config = parseConfig(textOf(places.config) ?? '', places.config);
    return {
      table: harnessTable(caps.harnesses, textOf(places.harnessCaps), places.harnessCaps),
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

function cells({ name, program, version, tools, seen, set_up }: HarnessLook): readonly string[] {
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
