import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('status counts what is connected, and says what to type next', async (t) => {
  const daemon = await startDaemon(t);
  const bare = await runLeo(t, daemon.env, 'status');
  t.equal(bare.code, 0);
  t.match(bare.stdout, `leo ${daemon.version}, pid ${daemon.pid}, up `);
  t.match(bare.stdout, `socket      ${daemon.socket}\n`);
  t.match(bare.stdout, `http        ${daemon.http}\n`);
  t.match(bare.stdout, /^tools +0$/m);
  t.match(bare.stdout, 'leo app run FILE.yaml');

  await startApp(t, daemon.socket, 'bell', [
    {
      name: 'ring',
      timeoutS: 0,
      handler: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
    { name: 'tune', handler: () => 'done' },
  ]);
  const call = startLeo(t, daemon.env, 'call', 'ring', '--agent', 'rocket');
  const asked = await until('the call is open', async () => {
    const ran = await runLeo(t, daemon.env, 'status', '--json');
    const status: unknown = JSON.parse(ran.stdout);
    return isStatus(status) && status.open_calls === 1 ? status : undefined;
  });
  t.match(asked, {
    running: true,
    version: daemon.version,
    pid: daemon.pid,
    uptime_s: Number,
    home: daemon.home,
    socket: daemon.socket,
    http: daemon.http,
    agents: [{ name: 'rocket', kind: 'attached', mode: 'native', sessions: 1 }],
    apps: 1,
    apps_away: 0,
    tools: 2,
    open_calls: 1,
  });
  const full = await runLeo(t, daemon.env, 'status');
  t.match(full.stdout, /^AGENT +HARNESS +TOOLS +SESSIONS +SINCE$/m);
  t.match(full.stdout, /^rocket +leo-cli \S+ +native +1 +\d+ s$/m);
  t.match(full.stdout, 'leo tools');
  call.child.kill('SIGINT');
  await call.ended;
});

function isStatus(value: unknown): value is { readonly open_calls: number } {
  return typeof value === 'object' && value !== null && 'open_calls' in value;
}

t.test('a stopped daemon is said in words and bounded time, with the way to wake it', async (t) => {
  const daemon = await startDaemon(t);
  daemon.child.kill('SIGSTOP');
  const rows = [['status'], ['tools'], ['calls'], ['events'], ['call', 'x']];
  await Promise.all(
    rows.map(async (args) => {
      const ran = await runLeo(t, daemon.env, ...args);
      t.equal(ran.code, 1, args.join(' '));
      t.match(ran.stderr, `the daemon (pid ${daemon.pid}) at ${daemon.socket} did not answer within`);
      t.match(ran.stderr, `kill -CONT ${daemon.pid}`);
    }),
  );
});

t.test('a killed daemon is none', async (t) => {
  const daemon = await startDaemon(t);
  await daemon.end('SIGKILL');
  const ran = await runLeo(t, daemon.env, 'status');
  t.equal(ran.code, 1);
  t.match(ran.stderr, `no daemon answers at ${daemon.socket}; start one: leo daemon`);
});
