// The README's example is run as it stands.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, startDaemon } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('the ten lines that offer a tool do so', async (t) => {
  const code = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
  t.match(code, "from 'leo/app'");
  // Below the repository, where `leo/app` is this package's own.
  const folder = mkdtempSync(join(root, 'build', 'readme-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'app.mjs');
  writeFileSync(file, code);
  const daemon = await startDaemon(t);
  const app = spawn(process.execPath, [file], { env: daemon.env, stdio: 'inherit' });
  const ended = new Promise((resolve) => app.once('close', resolve));
  t.teardown(async () => {
    app.kill();
    await ended;
  });
  await until('the tool is offered', async () => {
    const { stdout } = await runLeo(t, daemon.env, 'tools');
    return stdout.includes('say_hello');
  });
  const { stdout } = await runLeo(t, daemon.env, 'call', 'say_hello', '--args', '{"name":"Ada"}');
  t.equal(stdout, 'Hello Ada, from cli\n');
});
