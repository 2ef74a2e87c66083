import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isObject } from '../../lib/wire/json.js';
import { root } from '../support/daemon.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

t.test('each dependency has its reason in docs/contributing.md, and no other has', (t) => {
  const parsed: unknown = JSON.parse(read('package.json'));
  const { dependencies, devDependencies } = isObject(parsed) ? parsed : {};
  const used = [dependencies, devDependencies].flatMap((some) => (isObject(some) ? Object.keys(some) : []));
  const page = read('docs/contributing.md');
  const rows = page.slice(page.indexOf('## Dependencies')).matchAll(/^\| (`.*?`) +\| \S.*\|$/gm);
  const named = [...rows].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  t.same(named.sort(), used.sort());
  t.end();
});
