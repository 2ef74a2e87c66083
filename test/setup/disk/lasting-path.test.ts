import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { lastingPath } from '../../../lib/setup/index.js';
import { put } from '../surroundings.js';

t.test('a file that an update would move is named by the link that stays', async (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'leo-brew-')));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'opt'));
  for (const file of ['node/22.1.0/bin/node', 'node@20/20.9.0/bin/node', 'gone/1/bin/gone'])
    put(join(root, 'Cellar', file), '');
  symlinkSync('../Cellar/node/22.1.0', join(root, 'opt', 'node'));
  // The link is to another version than the one that runs.
  put(join(root, 'Cellar/node@20/20.9.1/bin/node'), '');
  symlinkSync('../Cellar/node@20/20.9.1', join(root, 'opt', 'node@20'));
  const rows: readonly (readonly [path: string, lasting: string])[] = [
    ['Cellar/node/22.1.0/bin/node', 'opt/node/bin/node'],
    ['Cellar/node@20/20.9.0/bin/node', 'Cellar/node@20/20.9.0/bin/node'],
    ['Cellar/node@20/20.9.1/bin/node', 'opt/node@20/bin/node'],
    ['Cellar/gone/1/bin/gone', 'Cellar/gone/1/bin/gone'],
    ['bin/node', 'bin/node'],
  ];
  for (const [path, lasting] of rows) t.equal(lastingPath(join(root, path)), join(root, lasting), path);
});
