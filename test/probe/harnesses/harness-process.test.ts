import t, { type Test } from 'tap';
import {
  type HarnessProcess,
  lastWords,
  startHarness,
} from '../../../lib/probe/harnesses/harness-process.js';
import { isAlive, until } from '../../support/wait.js';

function start(t: Test, program: string, env: Readonly<Record<string, string>> = {}): HarnessProcess {
  const harness = startHarness(process.execPath, ['-e', program], process.cwd(), env);
  t.teardown(() => harness.destroy());
  return harness;
}

t.test('its environment is what is given, and its output is kept', async (t) => {
  const harness = start(
    t,
    'console.log(process.env.A, process.env.PATH); console.error("oh"); process.exit(3)',
    {
      A: '1',
    },
  );
  t.equal(await harness.ended, 'exit code 3');
  await harness.spoken;
  t.match(harness.output(), '1 undefined\n');
  t.match(harness.output(), 'oh\n');
});

t.test('each line is told once it is whole', async (t) => {
  const lines: string[] = [];
  const harness = start(t, 'process.stdin.pipe(process.stdout)');
  harness.onLine((line) => lines.push(line));
  harness.write('a\nb');
  await until('a line is told', () => lines.length === 1);
  harness.write('c\nd');
  harness.endInput();
  t.equal(await harness.ended, 'exit code 0');
  await harness.spoken;
  t.strictSame(lines, ['a', 'bc']);
  t.equal(harness.output(), 'a\nbc\nd');
});

t.test('a signal is for the process, and its name is how it ended', async (t) => {
  const harness = start(t, 'setTimeout(() => undefined, 60_000); console.log("up")');
  await until('it runs', () => harness.output() === 'up\n');
  harness.signal('SIGTERM');
  t.equal(await harness.ended, 'SIGTERM');
});

t.test('what it started is destroyed with it, also after its own end', async (t) => {
  const harness = start(
    t,
    `const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { stdio: 'inherit' });
     console.log(child.pid); child.unref();`,
  );
  t.equal(await harness.ended, 'exit code 0');
  await harness.spoken;
  const pid = Number(harness.output());
  t.ok(isAlive(pid), 'its output is held open, and is not waited for');
  harness.destroy();
  await until('its child is gone', () => !isAlive(pid));
});

t.test('one that reads nothing may be written to', async (t) => {
  const harness = start(t, 'process.stdin.destroy(); process.exit(0)');
  await harness.ended;
  harness.write('x'.repeat(1_000_000));
  harness.endInput();
  harness.write('more');
  t.equal(await harness.ended, 'exit code 0');
});

t.test('a program that is not there is an end in words', async (t) => {
  const harness = startHarness('/no/such/program', [], process.cwd(), {});
  harness.write('x');
  t.match(await harness.ended, /^not started: .*ENOENT/);
  await harness.spoken;
  t.match(lastWords(harness.output()), /ENOENT/);
  harness.signal('SIGTERM');
  harness.destroy();
});

t.test('last words are the end of what was written', async (t) => {
  t.equal(lastWords(' \n'), 'it wrote nothing');
  t.equal(lastWords(`${'a'.repeat(1000)}b\n`), `${'a'.repeat(499)}b`);
});
