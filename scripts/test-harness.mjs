// `npm run test:harness`: installs the pinned harnesses below test/harness, and runs each for real, against a
// scripted model on loopback. `npm run test:harness -- codex` runs the files whose name starts so.
// A harness that cannot be installed here is skipped, and counted as skipped.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

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
const tapBin = join(root, 'node_modules', '.bin', 'tap');
spawnSync(process.execPath, [tapBin, 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const plainChildren = `--node-arg=--import=${pathToFileURL(join(root, 'test', 'support', 'plain-children.mjs')).href}`;
// Each is a harness of its own and waits most of the time; more at once than this, and they start too slowly.
const first = await run(files, 2);
// A real harness that shares two cores may start so slowly that its test gives up: what failed is run once more, with
// the machine to itself, and both outcomes are printed.
const again = first.failedFiles.length === 0 ? undefined : await run(first.failedFiles, 1);
if (again !== undefined) {
  process.stdout.write(`failed at first, and run again alone: ${first.failedFiles.join(', ')}\n`);
}
const failed = again?.failed ?? first.failed;
const passed = first.passed + (again === undefined ? 0 : first.failed - again.failed);
process.stdout.write(`${passed} passed, ${failed} failed, ${first.skipped} skipped (real harnesses)\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs test files, and counts. */
async function run(names, jobs) {
  const tap = spawn(
    process.execPath,
    [
      ...[tapBin, 'run', '--reporter=tap', `--jobs=${jobs}`, '--timeout=400', '--allow-empty-coverage'],
      plainChildren,
      ...names,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LEO_HOME: join(root, 'build', 'no-such-home') },
    },
  );
  let tail = '';
  const count = { passed: 0, failed: 0, skipped: 0, failedFiles: [] };
  tap.stdout.setEncoding('utf8');
  tap.stdout.on('data', (text) => {
    process.stdout.write(text);
    const lines = (tail + text).split('\n');
    tail = lines.pop() ?? '';
    for (const line of lines) {
      const file = /^not ok \d+ - (build\S+)/.exec(line)?.[1];
      if (file !== undefined) count.failedFiles.push(file);
      const tally = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, skip: (\d+))?/.exec(line);
      if (tally === null) continue;
      count.passed = Number(tally[2] ?? 0);
      count.failed = Number(tally[3] ?? 0);
      count.skipped = Number(tally[4] ?? 0);
    }
  });
  const code = await new Promise((resolve) => tap.on('close', resolve));
  if (code !== 0 && count.failed === 0) count.failed = 1;
  // What failed without a file's name, such as a time limit: then all of them are run again.
  if (count.failed > 0 && count.failedFiles.length === 0) count.failedFiles = [...names];
  return count;
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
