// `leo app run` as a process, with a real daemon.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { LinkAgent } from '../support/link-agent.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { answerOf } from '../support/test-app.js';
import { until } from '../support/wait.js';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const file = `
tools:
  - name: greet
    input_schema: { type: object, properties: { name: { type: string } } }
    command: printf 'Hello %s from %s, %s' "$LEO_ARG_NAME" "$LEO_AGENT" "\${LEO_TOKEN-no token}"
  - name: stdin
    input_schema: { type: object }
    command: [cat]
  - name: where
    command: basename "$PWD"; echo "$COLOUR"
    cwd: sub
    env: { COLOUR: red }
  - name: script
    command: [./script.sh]
  - name: pixel
    output: image
    command: [node, -e, "process.stdout.write(Buffer.from('${pixel}', 'base64'))"]
  - name: fails
    command: echo oh no >&2; exit 3
  - name: missing
    command: [./not-there]
  - name: floods
    command: [node, -e, "const b = Buffer.alloc(1 << 20); const w = () => process.stdout.write(b, w); w()"]
  - name: silent
    command: "true"
  - name: leaves_child
    command: sleep 600 & echo $! > child.pid; echo done
  - name: hangs
    command: "trap 'echo told > told' TERM; echo $$ > hangs.pid; sleep 600 & echo $! > sleeper.pid; while :; do wait; done"
`;

function folderWith(t: Test, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'leo-app-run-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'script.sh'), '#!/bin/sh\necho from the script\n');
  chmodSync(join(folder, 'script.sh'), 0o755);
  writeFileSync(join(folder, 'tools.yaml'), text);
  return folder;
}

/** The pid in a file, and whether its process is there. */
function processOf(path: string): { readonly pid: number; alive(): boolean } | undefined {
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (pid === 0) return undefined;
  const alive = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  return { pid, alive };
}

// Each has a daemon of its own, and waits most of the time.
t.jobs = 3;

t.test('commands are tools', async (t) => {
  const daemon = await startDaemon(t);
  const folder = folderWith(t, file);
  const env = { ...daemon.env, LEO_TOKEN: 'secret' };
  const app = startLeo(t, env, 'app', 'run', join(folder, 'tools.yaml'));
  await until('the tools are offered', () => app.stdout().includes('offering greet'));
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  const text = (content: string) => [{ type: 'text', text: content }];
  const failed = (code: string) => ({ data: { code } });
  const rows: readonly [tool: string, args: object, expected: unknown][] = [
    ['greet', { name: 'A\'d"a $(id)' }, text('Hello A\'d"a $(id) from tester, no token')],
    ['stdin', { deep: [1, { a: 'ü' }] }, text('{"deep":[1,{"a":"ü"}]}')],
    ['stdin', { long: 'x'.repeat(200_000) }, text(JSON.stringify({ long: 'x'.repeat(200_000) }))],
    ['where', {}, text('sub\nred')],
    ['script', {}, text('from the script')],
    ['pixel', {}, [{ type: 'image', data: pixel, mimeType: 'image/png' }]],
    ['silent', {}, text('(no output)')],
    ['leaves_child', {}, text('done')],
    ['fails', {}, { ...failed('command_failed'), message: 'the command exited with code 3: oh no' }],
    ['missing', {}, { ...failed('command_failed'), message: /there is no \.\/not-there to run in / }],
    ['floods', {}, { ...failed('bad_output'), message: /more than 9 MiB/ }],
  ];
  for (const [index, [tool, args, expected]] of rows.entries()) {
    const id = `r_command_${index}`;
    agent.park(id, tool, args);
    t.match(answerOf(await agent.response(id)), expected, tool);
  }
  const child = processOf(join(folder, 'child.pid'));
  await until('what a command left behind is gone', () => child?.alive() === false);
});

t.test('a cancelled call ends its command and all that it started', async (t) => {
  const daemon = await startDaemon(t);
  const folder = folderWith(t, file);
  const app = startLeo(t, daemon.env, 'app', 'run', join(folder, 'tools.yaml'));
  await until('the tools are offered', () => app.stdout().includes('offering greet'));
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_hanging_call', 'hangs');
  const running = await until('the command runs', () => processOf(join(folder, 'sleeper.pid')));
  const shell = processOf(join(folder, 'hangs.pid'));
  agent.notify('call/cancel', { id: 'r_hanging_call' });
  await until('both processes are gone', () => !running.alive() && shell?.alive() === false);
  t.ok(existsSync(join(folder, 'told')), 'SIGTERM came first');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} takes the tools back, ends the commands, and is no failure`, async (t) => {
    const daemon = await startDaemon(t);
    const folder = folderWith(t, file);
    const app = startLeo(t, daemon.env, 'app', 'run', '--json', join(folder, 'tools.yaml'));
    await until('the tools are offered', () => app.stdout().includes('"offered"'));
    const agent = await LinkAgent.start(t, { socket: daemon.socket });
    agent.park('r_hanging_call', 'hangs');
    const running = await until('the command runs', () => processOf(join(folder, 'sleeper.pid')));
    app.child.kill(signal);
    const { code, stdout, stderr } = await app.ended;
    t.equal(code, 0, stderr);
    t.match(answerOf(await agent.response('r_hanging_call')), { data: { code: 'no_client' } });
    await until('the command is gone', () => !running.alive());
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    t.same(types, ['connected', 'offered', 'call_started', 'call_ended', 'closed']);
  });
}

t.test('it waits for the daemon, over TCP too, and outlives it', async (t) => {
  const home = temporaryHome(t);
  const folder = folderWith(t, 'tools: [{ name: hello, command: echo hello }]');
  const path = join(folder, 'tools.yaml');
  const app = startLeo(t, { ...process.env, LEO_HOME: home }, 'app', 'run', path);
  await until('it says that it waits', () => app.stdout().includes('waiting for the daemon'));
  const first = await startDaemon(t, { home });
  await until('the tool is offered', () => app.stdout().includes('offering hello'));
  const token = join(home, 'state', 'api.token');
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'tools: [{ name: over_tcp, command: echo hello }]');
  const tcp = startLeo(t, process.env, 'app', 'run', other, '--url', first.http, '--token-file', token);
  await until('the other is offered', () => tcp.stdout().includes('offering over_tcp'));
  await first.end('SIGKILL');
  const second = await startDaemon(t, { home });
  await until('it is offered again', () => app.stdout().split('offering hello').length === 3);
  const agent = await LinkAgent.start(t, { socket: second.socket });
  agent.park('r_after_restart', 'hello');
  t.same(answerOf(await agent.response('r_after_restart')), [{ type: 'text', text: 'hello' }]);
});

t.test('what is misused says so and exits with 2, what is refused with 1', async (t) => {
  const daemon = await startDaemon(t);
  const folder = folderWith(t, 'tools:\n  - name: hello\n    command: []\n');
  const path = join(folder, 'tools.yaml');
  const rows: readonly [args: readonly string[], code: number, stderr: RegExp][] = [
    [[path], 2, /tools\.yaml line 3: tools\.0\.command/],
    [[join(folder, 'no.yaml')], 2, /no\.yaml cannot be read/],
    [[path, '--url', daemon.http], 2, /go together/],
    [[], 2, /missing required argument/],
  ];
  for (const [args, code, stderr] of rows) {
    const ran = await runLeo(t, daemon.env, 'app', 'run', ...args);
    t.equal(ran.code, code, args.join(' '));
    t.match(ran.stderr, stderr);
  }
  writeFileSync(path, 'tools: [{ name: leo_x, command: x }]');
  const refused = await runLeo(t, daemon.env, 'app', 'run', path);
  t.equal(refused.code, 1);
  t.match(refused.stderr, /tools\.yaml: .*leo_/);
  writeFileSync(join(folder, 'wrong.token'), 'wrong');
  writeFileSync(path, 'tools: [{ name: hello, command: x }]');
  const args = [path, '--url', daemon.http, '--token-file', join(folder, 'wrong.token')];
  const wrong = await runLeo(t, daemon.env, 'app', 'run', ...args);
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, /token/);
});
