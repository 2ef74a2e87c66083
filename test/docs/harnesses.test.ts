import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseHarnessCaps } from '../../lib/config/harness-caps.js';
import { harnessPage } from '../../lib/probe/table/page.js';
import { servingOf } from '../../lib/probe/table/table-entry.js';
import { harnessNames } from '../../lib/setup/index.js';
import { root } from '../support/daemon.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const table = parseHarnessCaps(read('harnesscaps.json'), 'harnesscaps.json');

t.test('docs/harnesses.md is what harnesscaps.json makes', (t) => {
  t.equal(
    read('docs/harnesses.md'),
    harnessPage(table, read('docs/harnesses.notes.md')),
    'write it anew: npm run harness:page',
  );
  t.end();
});

t.test('the built-in table has every section for every harness, each figure with its evidence', (t) => {
  t.strictSame(table.harnesses.map(({ name }) => name).sort(), [...harnessNames].sort());
  const sections = [
    'handshake',
    'relisting',
    'limits',
    'results',
    'names',
    'schemas',
    'bad tools',
    'process end',
    'environment',
    'instructions',
  ];
  for (const { name, figures = {} } of table.harnesses) {
    for (const section of sections) {
      const cells = Object.entries(figures[section] ?? {});
      t.ok(cells.length > 0, `${name}: ${section}`);
      for (const [cell, { evidence }] of cells) t.ok(evidence, `${name}: ${section}: ${cell}`);
    }
  }
  t.end();
});

t.test('what a harness is served by is what its figures say', (t) => {
  for (const entry of table.harnesses) {
    const cells = Object.entries(entry.figures ?? {}).map(([section, figures]) => [
      section,
      Object.fromEntries(
        Object.entries(figures).map(([cell, { value, evidence = '' }]) => [cell, { value, evidence }]),
      ),
    ]);
    const { ...serving } = servingOf(Object.fromEntries(cells), entry);
    t.match(entry, serving, entry.name);
  }
  t.end();
});
