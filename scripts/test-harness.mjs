// `npm run test:harness`: installs the pinned harnesses below test/harness, and runs each for real, against a
// scripted model on loopback. `npm run test:harness -- codex` runs the files whose name starts so.
// A harness that cannot be installed here is skipped, and counted as skipped.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { printFailures, runTap } from './run-tap.mjs';

const wanted = process.argv.slice(2);
const folder = join(root, 'test', 'harness');
await prepare();
install();

const files = readdirSync(join(root, 'build', 'test', 'harness'))
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix)))
  .sort()
  .map((name) => join('build', 'test', 'harness', name));
if (files.length === 0) {
  process.stderr.write(`npm run test:harness: no test file starts with ${wanted.join(' or ')}\n`);
  process.exit(2);
}
const options = ['--timeout=400', '--allow-empty-coverage'];
// Each is a harness of its own and waits most of the time; more at once than this, and they start too slowly.
const first = await runTap(files, 2, options);
const { passed, failed } = first.failed === 0 ? first : await runAgain(first);
process.stdout.write(`${passed} passed, ${failed} failed, ${first.skipped} skipped (real harnesses)\n`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * A real harness that shares two cores may start so slowly that its test gives up: what failed is run once more, with
 * the machine to itself, and both outcomes are printed.
 */
async function runAgain(first) {
  // What failed without a file's name, such as a time limit: then all of them are run again.
  const names = first.failures.length === 0 ? files : first.failures.map(({ file }) => file);
  const again = await runTap(names, 1, options);
  printFailures(first.failures);
  process.stdout.write(`the above failed at first, and ran again alone: ${names.join(', ')}\n`);
  printFailures(again.failures);
  return { passed: first.passed + Math.max(0, first.failed - again.failed), failed: again.failed };
}

/** Installs what the lockfile names, where that is not there yet. What fails is named; its tests are skipped. */
function install() {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.leo-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stdout.write('installing the pinned harnesses below test/harness (2 GB)\n');
  // Their install scripts fetch and compile what is not needed to run them here. Not `npm ci`: npm leaves the programs
  // of other platforms out of the lockfile, and then calls it incomplete.
  const { status } = spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(join(folder, 'node_modules', name, 'package.json'))) {
      process.stdout.write(`not installed: ${name}; its tests are skipped\n`);
    }
  }
  if (status === 0) writeFileSync(stamp, lock);
  else rmSync(stamp, { force: true });
}
