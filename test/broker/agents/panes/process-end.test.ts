import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { endProcess, isAlive } from '../../../../lib/broker/agents/panes/process-end.js';

t.test('a zombie that nobody reaps is not waited for', async (t) => {
  // The shell becomes a program that never asks how its child has ended.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  let asked = 0;
  await endProcess(pid, () => {
    asked += 1;
  });
  t.ok(isAlive(pid), 'its number is still there');
  t.ok(asked < 100, 'it was not waited for until the end');
});

t.test('a process that hears nothing is killed', async (t) => {
  const deaf = spawn('sh', ['-c', "trap '' HUP TERM; echo up; while :; do sleep 0.1; done"], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(deaf.stdout, 'data');
  const over = once(deaf, 'exit');
  await endProcess(deaf.pid ?? 0, () => undefined);
  t.strictSame(await over, [null, 'SIGKILL']);
});
