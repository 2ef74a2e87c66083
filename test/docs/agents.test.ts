import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseConfig } from '../../lib/config/config.js';
import { supervisedHarnesses, templatesSchema } from '../../lib/config/templates.js';
import { root } from '../support/daemon.js';

const page = readFileSync(join(root, 'docs', 'agents.md'), 'utf8');

t.test('docs/agents.md has every key of a template and every harness, and no other', (t) => {
  const table = page.slice(page.indexOf('| key '), page.indexOf("A template's name"));
  const keys = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, key]) => key);
  t.strictSame(keys.sort(), Object.keys(templatesSchema.additionalProperties.properties).sort());
  for (const harness of supervisedHarnesses) t.match(table, `\`${harness}\``);
  t.end();
});

t.test('each leo.yaml in docs/agents.md can be used', (t) => {
  const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
  t.equal(files.length, 2);
  for (const text of files) t.ok(parseConfig(text));
  t.end();
});
