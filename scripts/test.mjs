// `npm test`: lint, types, then every test file with tap; closes with a line `N passed, N failed`.
// `npm test -- test/gateway` runs the files whose path starts so, and nothing else.

import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';
import { runTapAndAgain } from './run-tap.mjs';

const wanted = process.argv.slice(2);
let tested = false;
await prepare();

const bin = (name) => join(root, 'node_modules', '.bin', name);
if (wanted.length === 0) {
  // What does not lint or type-check is a failure like any other, and closes with the same line.
  process.on('exit', (code) => {
    if (code !== 0 && !tested) process.stdout.write('0 passed, 1 failed\n');
  });
  run(bin('biome'), ['ci', '.']);
  run(bin('tsc'), ['--noEmit']);
  run(bin('tsc'), ['--noEmit', '-p', 'web']);
}

const isLong = (name) => name.startsWith(join('test', 'e2e'));
const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.js'))
  // Those run real harnesses: npm run test:harness.
  .filter((name) => !name.startsWith(join('test', 'harness')))
  .filter(
    (name) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix.replace(/\.ts$/, '.js'))),
  )
  // Those that start most processes take longest, and begin first: the run must not end with one of them alone.
  .sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || (a < b ? -1 : 1))
  .map((name) => join('build', name));
if (files.length === 0) {
  process.stderr.write(`npm test: no test file starts with ${wanted.join(' or ')}\n`);
  process.exit(2);
}

// The tests mostly wait for processes, so more of them run at once than there are cores.
const jobs = String(Math.max(4, availableParallelism() + 1));
tested = true;
const { passed, failed, skipped, unsteady } = await runTapAndAgain(files, jobs);
if (unsteady > 0) process.stdout.write(`${unsteady} passed only when run again alone\n`);
// What was not tested is said as loudly as what was.
if (skipped > 0) process.stdout.write(`${skipped} SKIPPED: what they need is not installed, see above\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
