import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import t from 'tap';
import { image, ToolError, text } from '../../lib/app/index.js';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

/** The smallest PNG that there is. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

t.test('call prints the text of the answer, and calls as the agent that it is told to be', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'hello', [
    {
      name: 'say_hello',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: ({ agent, arguments: { name } }) => [text(`Hello ${name},`), text(`says ${agent}`)],
    },
  ]);
  const ran = await runLeo(
    t,
    daemon.env,
    'call',
    'say_hello',
    '--args',
    '{"name":"Ada"}',
    '--agent',
    'rocket',
  );
  t.same(ran, { code: 0, stdout: 'Hello Ada,\nsays rocket\n', stderr: '' });

  const json = await runLeo(t, daemon.env, 'call', 'say-Hello', '--args', '{"name":"Ada"}', '--json');
  t.same(JSON.parse(json.stdout), {
    ok: true,
    content: [
      { type: 'text', text: 'Hello Ada,' },
      { type: 'text', text: 'says cli' },
    ],
  });

  const bad = await runLeo(t, daemon.env, 'call', 'say_hello', '--args', '{"name":1}');
  t.same(bad, { code: 1, stdout: '', stderr: 'leo: invalid_arguments: at $.name: must be string\n' });

  const unknown = await runLeo(t, daemon.env, 'call', 'say_bye');
  t.same(unknown, { code: 1, stdout: '', stderr: 'leo: no tool say_bye; there is say_hello\n' });
});

t.test('an image becomes a file of the user alone, and its path is printed', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'camera', [
    { name: 'take_photo', handler: () => [text('Smile!'), image(pixel)] },
  ]);
  const { code, stdout } = await runLeo(t, daemon.env, 'call', 'take_photo');
  t.equal(code, 0);
  const [words, file = ''] = stdout.split('\n');
  t.teardown(() => rmSync(dirname(file), { recursive: true, force: true }));
  t.equal(words, 'Smile!');
  t.match(file, /\.png$/);
  t.same(readFileSync(file), pixel);
  t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('a failure is words on stderr and exit code 1, the code first', async (t) => {
  const daemon = await startDaemon(t, { config: 'deny_tools: [forbid*]\n' });
  await startApp(t, daemon.socket, 'printer', [
    {
      name: 'print',
      handler: () => {
        throw new ToolError('no_paper', 'put some in');
      },
    },
    { name: 'forbidden', handler: () => 'never' },
  ]);
  const failed = await runLeo(t, daemon.env, 'call', 'print');
  t.same(failed, { code: 1, stdout: '', stderr: 'leo: no_paper: put some in\n' });
  const json = await runLeo(t, daemon.env, 'call', 'print', '--json');
  t.equal(json.code, 1);
  t.same(JSON.parse(json.stdout), { ok: false, error: { code: 'no_paper', message: 'put some in' } });
  const denied = await runLeo(t, daemon.env, 'call', 'forbidden');
  t.equal(denied.code, 1);
  t.match(denied.stderr, /^leo: denied: /);
});

t.test('progress is shown while the call waits, and Ctrl-C cancels it at the app', async (t) => {
  const daemon = await startDaemon(t);
  let aborted = false;
  await startApp(t, daemon.socket, 'slow', [
    {
      name: 'think',
      handler: ({ signal, progress }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          });
          progress(1, 3, 'thinking');
        }),
    },
  ]);
  const call = startLeo(t, daemon.env, 'call', 'think');
  await until('progress is shown', () => call.stderr().includes('progress 1/3 thinking\n'));
  call.child.kill('SIGINT');
  const { code, stdout, stderr } = await call.ended;
  t.equal(code, 1);
  t.equal(stdout, '');
  t.match(stderr, /leo: cancelled: /);
  await until('the app is told', () => aborted);
});

t.test('a daemon that ends while the call waits is said in words', async (t) => {
  const daemon = await startDaemon(t);
  let called = false;
  await startApp(t, daemon.socket, 'slow', [
    {
      name: 'think',
      handler: ({ signal }) =>
        new Promise((_, reject) => {
          called = true;
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
  ]);
  const call = startLeo(t, daemon.env, 'call', 'think');
  await until('the app is called', () => called);
  await daemon.end('SIGKILL');
  const { code, stderr } = await call.ended;
  t.equal(code, 1);
  t.match(stderr, /^leo: daemon_unreachable: .*; the call has ended\n$/);
  t.notOk(existsSync(`${daemon.home}/leo.yaml`), 'and nothing was written');
});
