import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { version } from '../../lib/config/version.js';
import { openApi } from '../../lib/wire/openapi.js';
import { routes } from '../../lib/wire/routes.js';
import { root } from '../support/daemon.js';

t.test('docs/openapi.json is what the schemas say; npm run openapi writes it', async (t) => {
  t.strictSame(
    JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')),
    JSON.parse(JSON.stringify(openApi(version))),
  );
});

t.test('every route stands in the document', async (t) => {
  const { paths } = openApi(version) as { paths: Record<string, Record<string, object>> };
  for (const { method, path } of Object.values(routes)) {
    t.ok(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()], `${method} ${path}`);
  }
});
