// Runs test files and counts: one line for a file that passed, everything it said for one that failed.
//
// Each file is a Node process that says in TAP what it found. tap's own runner is not used: it would load a recorder
// into every process, for a report on coverage that nobody asks for, and that takes longer than most files do.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Runs `names` (below build/) in their order, `jobs` at a time, each for at most `limitS` seconds.
 * Answers { passed, failed, skipped, failures: [{ file, lines }] }, all but the last counts of assertions.
 */
async function runFiles(names, jobs, limitS) {
  const tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const waiting = [...names];
  let ended = 0;
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { lines, wrong, counts, seconds } = await runFile(name, limitS);
      tally.passed += counts.pass;
      tally.skipped += counts.skip;
      // What went wrong with the process itself is one failure, where no assertion says it already.
      tally.failed += wrong !== undefined && counts.fail === 0 ? 1 : counts.fail;
      ended += 1;
      const result = `${ended} - ${name} # ${seconds.toFixed(1)} s`;
      if (wrong === undefined) process.stdout.write(`ok ${result}\n${skippedLines(lines).join('')}`);
      else {
        tally.failures.push({ file: name, lines: [...failedLines(lines), `# ${wrong}`] });
        process.stdout.write(`${lines.join('\n')}\n# ${wrong}\nnot ok ${result}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return tally;
}

/** Runs one file; `wrong` says in words what is wrong with how it ended, if anything is. */
async function runFile(name, limitS) {
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, ['--enable-source-maps', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      LEO_HOME: join(root, 'build', 'no-such-home'),
      TAP: '1',
      TAP_TIMEOUT: String(limitS),
    },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  // At its limit a file says itself what it still waits for, and ends ten seconds later.
  const endWithin = (ms) => setTimeout(() => child.kill('SIGKILL'), ms + 15_000);
  let hung = endWithin(limitS * 1000);
  child.on('message', (message) => {
    // A file that sets itself another limit says so.
    if (typeof message?.setTimeout !== 'number') return;
    clearTimeout(hung);
    hung = endWithin(message.setTimeout);
  });
  let left;
  child.on('exit', () => {
    // What a file started may hold its output open, and must not outlive it.
    left = setTimeout(() => child.stdout.destroy(new Error('left running')), 10_000);
  });
  let leftRunning = false;
  child.stdout.on('error', () => {
    leftRunning = true;
  });
  const [code, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)));
  clearTimeout(hung);
  clearTimeout(left);
  const lines = text.trimEnd().split('\n');
  const counts = countsOf(lines);
  return {
    lines,
    wrong: whatIsWrong(code, signal, counts, leftRunning),
    counts: { pass: 0, fail: 0, skip: 0, ...counts },
    seconds: Number(process.hrtime.bigint() - started) / 1e9,
  };
}

function whatIsWrong(code, signal, counts, leftRunning) {
  if (signal !== null) return `it was ended by ${signal}`;
  if (counts === undefined) return `it ended with code ${code} before it was through`;
  if (code !== 0 || counts.fail > 0) return `${counts.fail ?? 0} failed, code ${code}`;
  if (leftRunning) return 'a process that it started still runs, and holds its output';
  return undefined;
}

/** What a file counted itself, which stands unindented at its end, or undefined when it did not get there. */
function countsOf(lines) {
  const said = lines.findLast((line) => line.startsWith('# { total: '));
  if (said === undefined) return undefined;
  return Object.fromEntries(
    [...said.matchAll(/(\w+): (\d+)/g)].map(([, key, count]) => [key, Number(count)]),
  );
}

/**
 * Runs test files, and what failed once more, a file at a time, with the machine to itself: a machine that is loaded
 * from outside must not look like a defect, and a test that passes only alone must not be forgotten. Both outcomes are
 * printed at the end, where they are looked for; what fails twice has failed.
 *
 * Answers { passed, failed, skipped, unsteady }: assertions, `unsteady` of them passed only when run again.
 */
export async function runTapAndAgain(names, jobs, limitS = 120) {
  const first = await runFiles(names, jobs, limitS);
  if (first.failures.length === 0) return { ...first, unsteady: 0 };
  const failedNames = first.failures.map(({ file }) => file);
  const again = await runFiles(failedNames, 1, limitS);
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

/** Of all that a file said, each test that was skipped, and why. */
function skippedLines(block) {
  return block.flatMap((line) => {
    const [, name, why] = /^\s*ok \d+ - (.*?) # (?:time=\S+ )?SKIP ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [`  skipped: ${name}: ${why}\n`];
  });
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
