// `npm run test:harness`: installs the pinned harnesses below test/harness, and runs each for real, against a
// scripted model on loopback. `npm run test:harness -- codex` runs the files whose name starts so.
// A harness that cannot be installed here is skipped, and counted as skipped.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { runTapAndAgain } from './run-tap.mjs';

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
// Each is a harness of its own and waits most of the time; more at once than this, and they start too slowly.
const { passed, failed, skipped, unsteady } = await runTapAndAgain(files, 2, 400);
if (unsteady > 0) process.stdout.write(`${unsteady} passed only when run again alone\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped (real harnesses)\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Installs what the lockfile names, where that is not there yet. What fails is named; its tests are skipped. */
function install() {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.leo-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stdout.write('installing the pinned harnesses below test/harness (2 GB)\n');
  // Not `npm ci`: npm leaves the programs of other platforms out of the lockfile, and then calls it incomplete. Without
  // install scripts: most fetch and compile what is not needed to run them here.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const installed = npm('install', '--no-save', '--ignore-scripts', ...quiet);
  // These two put the program of this platform, which is there by now, into its place.
  const placed = npm('rebuild', ...quiet, '@anthropic-ai/claude-code', 'opencode-ai');
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const lacking = names.filter((name) => !runs(name));
  for (const name of lacking) process.stdout.write(`not installed: ${name}; its tests are skipped\n`);
  if (installed && placed && lacking.length === 0) writeFileSync(stamp, lock);
  else rmSync(stamp, { force: true });
}

/** Tells whether a harness is there and starts. One that does not is taken off the path of its tests. */
function runs(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return false;
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  // kilo's package is the program alone.
  if (bin === undefined) return true;
  const program = join(
    folder,
    'node_modules',
    '.bin',
    typeof bin === 'string' ? basename(name) : Object.keys(bin)[0],
  );
  // In a home of its own: a harness may write into it before it says a word.
  const home = mkdtempSync(join(tmpdir(), 'leo-harness-'));
  const env = { ...process.env, HOME: home };
  const { status } = spawnSync(program, ['--version'], { env, stdio: 'ignore', timeout: 60_000 });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) rmSync(program, { force: true });
  return status === 0;
}

/** Runs npm below test/harness, and tells whether it worked. */
function npm(...args) {
  return spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
