// `npm run test:nodes`: the test suite on the Node versions that are not the one at hand. The npm packages
// node-<platform>-<arch> bring the binaries; they go into a cache folder, not into the project's dependencies.
// `npm run test:nodes -- test/gateway` runs a part of the suite.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, root, run } from './prepare.mjs';

const majors = ['22', '24'];

/** The folder of the binary of a Node version; the newest of its line when it is first installed. */
function binOf(major) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules', '.cache', 'leo-nodes', major);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(join(bin, 'node'))) {
    process.stderr.write(`test:nodes: installing ${name}@${major} (once)\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${major}`],
      {
        cwd: folder,
      },
    );
  }
  return bin;
}

install();
const failed = [];
for (const major of majors) {
  const bin = binOf(major);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const node = join(bin, 'node');
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  process.stdout.write(`\n# Node ${stdout}`);
  // Lint and types are the same on every Node: only the tests run.
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['test'];
  const { status } = spawnSync(node, [join(root, 'scripts', 'test.mjs'), ...wanted], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) failed.push(stdout.trim());
}
process.stdout.write(failed.length === 0 ? '\nevery Node passed\n' : `\nfailed on ${failed.join(' and ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
