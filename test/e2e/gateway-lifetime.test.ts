// When a gateway goes, and what it leaves behind (design 8): nothing, and no line that is cut.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { leo, startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { Gateway, textOf } from '../support/gateway.js';
import { until } from '../support/wait.js';

/** The second that it may take, and what a busy machine adds. */
const soonMs = 5000;
t.jobs = 2;

const ends: readonly [what: string, end: (gateway: Gateway) => void][] = [
  ['stdin ends', (gateway) => gateway.child.stdin.end()],
  ['stdin breaks', (gateway) => gateway.child.stdin.destroy()],
  [
    'stdin ends in the middle of a message',
    (gateway) => gateway.child.stdin.end('{"jsonrpc":"2.0","id":1,"meth'),
  ],
  [
    'stdin ends in the middle of a character',
    (gateway) => gateway.child.stdin.end(Buffer.from('"€').subarray(0, 3)),
  ],
  ['nobody reads stdout', (gateway) => gateway.child.stdout.destroy()],
  ['SIGTERM comes', (gateway) => gateway.child.kill('SIGTERM')],
  ['SIGINT comes', (gateway) => gateway.child.kill('SIGINT')],
  ['SIGHUP comes', (gateway) => gateway.child.kill('SIGHUP')],
];
for (const [what, end] of ends) {
  t.test(`goes when ${what}`, async (t) => {
    const gateway = Gateway.start(t, { home: temporaryHome(t) });
    await gateway.initialize();
    end(gateway);
    t.equal(await gateway.exit(soonMs), 0);
  });
}

t.test('goes when stdin ends before a byte', async (t) => {
  const gateway = Gateway.start(t, { home: temporaryHome(t) });
  gateway.child.stdin.end();
  t.equal(await gateway.exit(), 0);
  t.strictSame(gateway.lines, []);
});

t.test('answers what came before the end of stdin', async (t) => {
  const gateway = Gateway.start(t, { home: temporaryHome(t) });
  gateway.child.stdin.end(
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n{"jsonrpc":"2.0","id":3,"method":"ping"}',
  );
  t.equal(await gateway.exit(), 0);
  t.strictSame(gateway.messages.map(({ id }) => id).sort(), [1, 2, 3]);
});

t.test('goes when its parent is killed while a grandchild keeps the pipe', async (t) => {
  const home = temporaryHome(t);
  // The shell starts the gateway on its own stdin, which a sleeping sibling holds open.
  const script = `exec 3<&0; sleep 60 <&3 & "$0" "$1" mcp-server <&3 & echo "$!"; wait`;
  const shell = spawn('/bin/sh', ['-c', script, process.execPath, leo], {
    env: { ...process.env, LEO_HOME: home, LEO_NO_AUTOSTART: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  t.teardown(() => {
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  });
  let out = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  shell.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await until('the gateway answers', () => out.includes('"id":1'));
  const pid = Number(out.split('\n')[0]);
  t.ok(alive(pid));
  shell.kill('SIGKILL');
  await until('the gateway is gone', () => !alive(pid), soonMs);
});

t.test('goes when its parent died while it was loading', async (t) => {
  const home = temporaryHome(t);
  // Stands in for the death: the parent is another one as soon as main.ts asks for node:crypto.
  const preload = join(home, 'orphan.cjs');
  writeFileSync(
    preload,
    `const { ppid } = process;
     let now = ppid;
     Object.defineProperty(process, 'ppid', { get: () => now });
     const { _load } = require('node:module');
     require('node:module')._load = function (name, ...rest) {
       if (name === 'node:crypto') now = ppid + 1;
       return _load.call(this, name, ...rest);
     };`,
  );
  const gateway = Gateway.start(t, { home, env: { NODE_OPTIONS: `--require ${preload}` } });
  t.equal(await gateway.exit(soonMs), 0);
  t.match(gateway.stderr, /the parent process is gone/);
  t.strictSame(gateway.lines, []);
});

t.test('its calls are cancelled when it goes', async (t) => {
  const daemon = await startDaemon(t);
  let aborted = false;
  let called = false;
  await startApp(t, daemon.socket, 'slow', [
    {
      name: 'slow',
      handler: ({ signal }) =>
        new Promise((resolve) => {
          called = true;
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve('late');
          });
        }),
    },
  ]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  gateway.send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
  await until('the app is called', () => called);
  gateway.child.stdin.end();
  t.equal(await gateway.exit(soonMs), 0);
  await until('the app is told', () => aborted);
});

t.test('a result of 8 MB arrives whole though stdin ends at once, to a reader that is slow', async (t) => {
  const daemon = await startDaemon(t);
  const text = 'ü'.repeat(4 * 1024 * 1024);
  await startApp(t, daemon.socket, 'big', [{ name: 'big', handler: () => text }]);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize();
  gateway.child.stdout.pause();
  gateway.send({ id: 'big', method: 'tools/call', params: { name: 'big' } });
  // The first bytes are there, and most of them cannot be.
  await until('the result is on its way', () => gateway.child.stdout.readableLength > 0);
  gateway.child.stdin.end();
  gateway.child.stdout.resume();
  const { result } = await gateway.response('big');
  t.equal(textOf(result as never), text);
  t.equal(await gateway.exit(), 0);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended and that nobody waits for is still in the table.
  try {
    return !/\) Z /.test(readFileSync(join('/proc', String(pid), 'stat'), 'utf8'));
  } catch {
    return true; // No /proc on this system.
  }
}
