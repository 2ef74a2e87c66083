// What a reader copies from a page into leo.yaml can be used as it stands, in a home in which no app has been yet.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { put } from '../setup/surroundings.js';
import { root, temporaryHome } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';

/** Files of other programs, and of apps. */
const other = /^(?:group|scrape_configs):/m;

t.test('each leo.yaml of README and docs/ is one that the daemon starts with', async (t) => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))];
  let seen = 0;
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    for (const [, text = ''] of readFileSync(join(root, page), 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)) {
      if (other.test(text)) continue;
      const env = { ...process.env, LEO_HOME: temporaryHome(t) };
      put(placesOf(env).config, text);
      const { code, stdout } = await runLeo(t, env, 'validate');
      t.equal(code, 0, `${page}: ${text}${stdout}`);
      seen++;
    }
  }
  t.ok(seen > 5);
});
