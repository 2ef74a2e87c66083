import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { HarnessTable } from '../../../lib/gateway/harness/caps.js';
import { readTable } from '../../../lib/gateway/harness/table.js';
import { temporaryHome } from '../../support/daemon.js';

const builtIn: HarnessTable = {
  harnesses: [
    {
      name: 'codex',
      names: ['codex-mcp-client'],
      relists: false,
      drops_root_combinators: false,
      description_limit: null,
      call_limit_s: 300,
      progress_extends: false,
    },
  ],
};

const read = async (t: Test, make: (file: string) => void) => {
  const file = join(temporaryHome(t), 'harnesscaps.json');
  make(file);
  const logged: string[] = [];
  return { table: await readTable(builtIn, file, (line) => logged.push(line)), logged, file };
};

t.test('without a file the built-in table serves, and nothing is said', async (t) => {
  const { table, logged } = await read(t, () => {});
  t.equal(table, builtIn);
  t.strictSame(logged, []);
});

t.test('a file lies over the built-in table', async (t) => {
  const text = '{"format": 1, "harnesses": [{"name": "codex", "relists": true}]}';
  const { table, logged } = await read(t, (file) => writeFileSync(file, text));
  t.match(table.harnesses, [{ name: 'codex', relists: true, call_limit_s: 300 }]);
  t.strictSame(logged, []);
});

const faults: readonly [what: string, make: (file: string) => void, warning: RegExp][] = [
  ['empty', (file) => writeFileSync(file, ''), /harnesscaps\.json is empty: remove it; until then/],
  ['broken', (file) => writeFileSync(file, '{"format": 1, "harn'), /is not JSON: .*; mend it; until then/],
  [
    'from the future',
    (file) => writeFileSync(file, '{"format": 2}'),
    /is of format 2.*: update Leo, or move/,
  ],
  ['a folder', (file) => mkdirSync(file), /cannot be read \(.*\): mend or remove it; until then/],
];
for (const [what, make, warning] of faults) {
  t.test(`a file that is ${what} leaves the built-in table, and the log says what to do`, async (t) => {
    const { table, logged, file } = await read(t, make);
    t.equal(table, builtIn);
    t.equal(logged.length, 1);
    t.match(logged[0], warning);
    t.ok(logged[0]?.startsWith(`warning: ${file}`));
  });
}
