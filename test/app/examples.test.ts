// The example apps run as a reader runs them.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { leo, type RunningDaemon, root, startDaemon } from '../support/daemon.js';
import { LinkAgent } from '../support/link-agent.js';
import { answerOf } from '../support/test-app.js';
import { until } from '../support/wait.js';

/** Starts an example, and waits until it says something. */
async function example(t: Test, daemon: RunningDaemon, says: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, args, { env: daemon.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  t.teardown(() => child.kill('SIGKILL'));
  await until(`the example says ${says}`, () => {
    if (child.exitCode !== null) throw new Error(`the example ended:\n${said}`);
    return said.includes(says);
  });
  return async () => {
    child.kill('SIGTERM');
    t.equal(await ended, 0, said);
  };
}

t.test('every example offers its tools, answers, and stops when it is told to', async (t) => {
  const daemon = await startDaemon(t);
  const file = (name: string) => join(root, 'examples', name);
  const stops = await Promise.all([
    example(t, daemon, 'say_hello is offered', file('hello-app.mjs')),
    example(t, daemon, 'on the desk:', file('desk/desk.mjs'), 'Water', 'the', 'plants.'),
    example(t, daemon, 'offering disk_free', leo, 'app', 'run', file('commands/machine.yaml')),
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  const text = (content: string | RegExp) => [{ type: 'text', text: content }];
  const png = [{ type: 'image', mimeType: 'image/png' }];
  const rows: readonly [tool: string, args: object, expected: unknown][] = [
    ['say_hello', { name: 'Ada' }, text('Hello Ada, this is an app speaking to tester.')],
    ['read_note', {}, text('Water the plants.')],
    ['roll_dice', { dice: 2 }, text(/^[1-6] \+ [1-6] = \d+$/)],
    ['show_dice', { eyes: 6 }, png],
    ['count_down', { from: 1 }, text('zero')],
    ['ask_person', { question: 'Ship it?' }, { data: { code: 'nobody_here' } }],
    ['disk_free', {}, text(/Mounted on|\/$/m)],
    ['count_words', { text: 'one two three' }, text('3')],
    ['die_picture', { eyes: 1 }, png],
  ];
  for (const [index, [tool, args, expected]] of rows.entries()) {
    const id = `r_example_${index}`;
    agent.park(id, tool, args);
    t.match(answerOf(await agent.response(id)), expected, tool);
  }
  for (const stop of stops) await stop();
});
