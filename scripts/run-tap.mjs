// Runs test files with tap and counts: one line for a file that passed, everything it said for one that failed.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

const tapBin = join(root, 'node_modules', '.bin', 'tap');
// Without it every Node process that a test starts would load tap's recorder, which costs more than the test does.
const plainChildren = `--node-arg=--import=${pathToFileURL(join(root, 'test', 'support', 'plain-children.mjs')).href}`;

/**
 * Runs `names` (below build/), `jobs` at a time, with further `options` for tap.
 * Answers { passed, failed, skipped, unsteady, failures: [{ file, lines }] }; a run that ends badly without a count has failed once.
 */
async function runTap(names, jobs, options = []) {
  // Made once: tap's own test class without the TypeScript plugin, since build/ is JavaScript already.
  spawnSync(process.execPath, [tapBin, 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const tap = spawn(
    process.execPath,
    [tapBin, 'run', '--reporter=tap', `--jobs=${jobs}`, plainChildren, ...options, ...names],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LEO_HOME: join(root, 'build', 'no-such-home') },
    },
  );
  const tally = { passed: 0, failed: 0, skipped: 0, unsteady: 0, failures: [] };
  const unheard = new Set(names);
  let block = [];
  let tail = '';
  tap.stdout.setEncoding('utf8');
  tap.stdout.on('data', (text) => {
    const lines = (tail + text).split('\n');
    tail = lines.pop() ?? '';
    for (const line of lines) {
      block.push(line);
      const file = /^(not ok|ok) \d+ - (build\S+)/.exec(line);
      if (file === null) count(line, tally);
      else {
        unheard.delete(file[2]);
        if (file[1] === 'not ok') tally.failures.push({ file: file[2], lines: failedLines(block) });
        process.stdout.write(file[1] === 'not ok' ? `${block.join('\n')}\n` : `${line}\n`);
        block = [];
      }
    }
  });
  const code = await new Promise((resolve) => tap.on('close', resolve));
  if (code !== 0 && tally.failed === 0) {
    process.stdout.write(`${[...block, tail].join('\n')}\n`);
    tally.failed = 1;
  }
  // A file that tap gave up on at its own limit ends without a word.
  for (const file of code === 0 ? [] : unheard)
    tally.failures.push({ file, lines: ['nothing was heard of it'] });
  return tally;
}

/**
 * As runTap; and what failed is run once more, a file at a time, with the machine to itself: a machine that is loaded
 * from outside must not look like a defect, and a test that passes only alone must not be forgotten. Both outcomes are
 * printed at the end, where they are looked for; what fails twice has failed.
 */
export async function runTapAndAgain(names, jobs, options = []) {
  const first = await runTap(names, jobs, options);
  if (first.failures.length === 0) return first;
  const again = await runTap(
    first.failures.map(({ file }) => file),
    1,
    options,
  );
  printFailures('FAILED AT FIRST, and run again alone', first.failures);
  printFailures('FAILED', again.failures);
  const mended = Math.max(0, first.failed - again.failed);
  return { passed: first.passed + mended, failed: again.failed, skipped: first.skipped, unsteady: mended };
}

function printFailures(title, failures) {
  for (const { file, lines } of failures) {
    process.stdout.write(`\n${title}: ${file}\n${lines.slice(0, 120).join('\n')}\n`);
  }
}

/** tap's own count of the whole run stands unindented at its end. */
function count(line, tally) {
  const counts = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, skip: (\d+))?/.exec(line);
  if (counts === null) return;
  tally.passed = Number(counts[2] ?? 0);
  tally.failed = Number(counts[3] ?? 0);
  tally.skipped = Number(counts[4] ?? 0);
}

/** Of all that a file said, each failed assertion with its details. */
function failedLines(block) {
  const lines = [];
  // Details stand between `---` and `...`, below the assertion that they belong to.
  let ofFailed = false;
  let inDetails = false;
  for (const line of block) {
    if (/^\s*(not )?ok \d/.test(line)) ofFailed = /^\s*not/.test(line);
    if (/^\s+---$/.test(line)) inDetails = ofFailed;
    if (inDetails || /^\s*not ok \d/.test(line)) lines.push(line);
    if (/^\s+\.\.\.$/.test(line)) inDetails = false;
  }
  return lines;
}
