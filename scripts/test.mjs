// `npm test`: lint, types, then every test file with tap; closes with a line `N passed, N failed`.
// `npm test -- test/gateway` runs the files whose path starts so, and nothing else.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root, run } from './prepare.mjs';

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
}

const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.test.js'))
  // Those run real harnesses: npm run test:harness.
  .filter((name) => !name.startsWith(join('test', 'harness')))
  .filter(
    (name) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix.replace(/\.ts$/, '.js'))),
  )
  .sort()
  .map((name) => join('build', name));
if (files.length === 0) {
  process.stderr.write(`npm test: no test file starts with ${wanted.join(' or ')}\n`);
  process.exit(2);
}

// The tests mostly wait for processes, so more of them run at once than there are cores.
const jobs = String(Math.max(4, availableParallelism() + 1));
// Made once: tap's own test class without the TypeScript plugin, since build/ is JavaScript already.
run(process.execPath, [bin('tap'), 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
// Without it every Node process that a test starts would load tap's recorder, which costs more than the test does.
const plainChildren = `--node-arg=--import=${pathToFileURL(join(root, 'test', 'support', 'plain-children.mjs')).href}`;
const tap = spawn(
  process.execPath,
  [bin('tap'), 'run', '--reporter=tap', `--jobs=${jobs}`, plainChildren, ...files],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LEO_HOME: join(root, 'build', 'no-such-home') },
  },
);

tested = true;
let passed = 0;
let failed = 0;
let tail = '';
tap.stdout.setEncoding('utf8');
tap.stdout.on('data', (text) => {
  process.stdout.write(text);
  const lines = (tail + text).split('\n');
  tail = lines.pop() ?? '';
  for (const line of lines) {
    // tap's own tally of the whole run stands unindented at its end.
    const tally = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?/.exec(line);
    if (tally === null) continue;
    passed = Number(tally[2] ?? 0);
    failed = Number(tally[3] ?? 0);
  }
});
const code = await new Promise((resolve) => tap.on('close', resolve));
if (code !== 0 && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = code === 0 && failed === 0 ? 0 : 1;
