// The symptoms of docs/troubleshooting.md are what `leo doctor` and the agent's calls say, in their words.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { callFailureCodes } from '../../lib/wire/errors.js';
import { root } from '../support/daemon.js';

const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');

t.test('each line of leo doctor that the page names is one that it says', (t) => {
  const source = ['doctor', 'config', 'setup']
    .flatMap((folder) =>
      readdirSync(join(root, 'lib', folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'lib', name), 'utf8'))
    .join('\n');
  // What is put into a line may be words, too.
  const said = `${source}\n${source.replaceAll(/\$\{[^{}]*\}/g, '')}`;
  const rows = [...page.matchAll(/^\| `(\w+)` ([^|\s].*?) +\|/gm)];
  t.ok(rows.length > 30);
  for (const [, check = '', words = ''] of rows) {
    t.ok(said.includes(`'${check}'`), check);
    // What stands for a name, a number or words of somebody else's is left out.
    const known = words.split(
      /[…;]|\bNAME\b|\(pid N\)|\b[NAB]\b|2 hours ago|\/leo\.yaml|a message about its file/,
    );
    for (const part of known.map((one) => one.replace(/^[ :;]+|[ :;]+$/g, '')))
      t.ok(said.includes(part), `${check}: ${part}`);
  }
  t.end();
});

t.test('each code that a call of Leo fails with is there', (t) => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) => code);
  t.strictSame(rows, callFailureCodes);
  t.end();
});
