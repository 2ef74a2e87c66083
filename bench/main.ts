// `npm run bench [-- --only ROW] [-- --quick] [-- --json]`: measures, and prints the table of design 12.

import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { version } from '../lib/config/version.js';
import { memoryKind } from './memory.js';
import { met, type Row, ratio, show } from './row.js';
import { imageRows, rateRows, roundTripRows } from './rows/calls.js';
import { consoleRows } from './rows/console.js';
import { dailyRows } from './rows/daily.js';
import { fanOutRows } from './rows/fan-out.js';
import { memoryRows } from './rows/memory.js';
import { parkedRows } from './rows/parked.js';
import { startRows } from './rows/start.js';

/** What is measured together, by the name that `--only` takes. */
const groups: Readonly<Record<string, (quick: boolean) => Promise<readonly Row[]>>> = {
  start: startRows,
  memory: memoryRows,
  call: roundTripRows,
  rate: rateRows,
  image: imageRows,
  parked: parkedRows,
  'fan-out': fanOutRows,
  daily: dailyRows,
  console: consoleRows,
};

/** What the command line asks for; misuse is said, with exit code 2. */
function options(): { readonly only: readonly string[]; readonly quick: boolean; readonly json: boolean } {
  const names = Object.keys(groups).join(', ');
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !Object.hasOwn(groups, name));
    if (unknown === undefined) return values;
    process.stderr.write(`bench: no row ${unknown}; there is ${names}\n`);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
    process.stderr.write(`usage: npm run bench -- [--only ROW]... [--quick] [--json]; rows: ${names}\n`);
  }
  process.exit(2);
}

const { only, quick, json } = options();
const machine = {
  leo: version,
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'not known',
  cores: availableParallelism(),
  memory: memoryKind,
};
const rows: Row[] = [];
for (const [name, measure] of Object.entries(groups)) {
  if (only.length > 0 && !only.includes(name)) continue;
  process.stderr.write(`bench: ${name}\n`);
  try {
    rows.push(...(await measure(quick)));
  } catch (error) {
    // The other rows are still worth having.
    process.stderr.write(`bench: ${name} failed: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}
if (json) {
  const judged = rows.map((row) => ({ ...row, ratio: ratio(row) ?? null, met: met(row) ?? null }));
  process.stdout.write(`${JSON.stringify({ machine, rows: judged }, null, 2)}\n`);
} else {
  process.stdout.write(
    `leo ${machine.leo}, node ${machine.node}, ${machine.system}, ${machine.cores} cores\n\n`,
  );
  process.stdout.write(`${show(rows)}\n`);
}
