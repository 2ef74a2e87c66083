// The files of the console's page, as they are served.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { chosenEncoding, readPageFiles } from '../../../lib/broker/console/page-files.js';
import { temporaryHome } from '../../support/daemon.js';

t.test('only files of known types are served, each kept as long as its name allows', async (t) => {
  const folder = temporaryHome(t);
  const names = ['index.html', 'app-DmQ3k2_x.js', 'app-DmQ3k2_x.js.br', 'plain.css', 'app.js.map', '.env'];
  for (const name of names) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, 'folder.js'));
  const files = readPageFiles(folder);
  t.strictSame([...files].map(([name, { immutable }]) => [name, immutable]).sort(), [
    ['app-DmQ3k2_x.js', true],
    ['index.html', false],
    ['plain.css', false],
  ]);
  t.equal(readPageFiles(join(folder, 'nowhere')).size, 0);
});

t.test('the smallest encoding that the reader takes is chosen', async (t) => {
  const body = { bytes: Buffer.from('x'), etag: '"x"' };
  const file = { type: 'text/css', immutable: true, bodies: { identity: body, br: body, gzip: body } };
  const rows = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['BR', 'br'],
    ['deflate', 'identity'],
    ['br;q=x', 'identity'],
  ] as const;
  for (const [accepted, encoding] of rows)
    t.equal(chosenEncoding(accepted, file), encoding, accepted ?? 'none');
  t.equal(chosenEncoding('br', { ...file, bodies: { identity: body } }), 'identity');
});
