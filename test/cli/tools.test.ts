import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('tools lists what apps offer, sorted by name, with the next command to type', async (t) => {
  const daemon = await startDaemon(t);
  const none = await runLeo(t, daemon.env, 'tools');
  t.equal(none.stdout, 'No app offers a tool. Offer one: leo app run FILE.yaml\n');

  const inputSchema = { type: 'object', properties: { song: { type: 'string' } }, required: ['song'] };
  const app = await startApp(t, daemon.socket, 'music', [
    { name: 'play', description: 'Plays a song\u001b[31m.\nLoudly.', inputSchema, handler: () => 'la' },
    { name: 'ask', timeoutS: 0, handler: () => 'yes' },
  ]);
  const people = await runLeo(t, daemon.env, 'tools');
  const lines = people.stdout.split('\n');
  t.match(lines[0], /^TOOL +GROUP +APP +TIMEOUT +DESCRIPTION$/);
  t.match(lines[1], new RegExp(`^ask +music +${app.clientId} +none$`));
  t.match(lines[2], new RegExp(`^play +music +${app.clientId} +2 m +Plays a song \\[31m\\. Loudly\\.$`));
  t.match(people.stdout, "Try one: leo call ask --args '{}'");
  const other = await startDaemon(t);
  await startApp(t, other.socket, 'music', [{ name: 'play', inputSchema, handler: () => 'la' }]);
  const { stdout } = await runLeo(t, other.env, 'tools');
  t.match(stdout, `Try one: leo call play --args '{"song":"song"}'`, 'with what it requires');

  const machines = await runLeo(t, daemon.env, 'tools', '--json');
  t.match(JSON.parse(machines.stdout), {
    revision: Number,
    groups: [
      {
        group: 'music',
        client_id: app.clientId,
        connected: true,
        tools: [
          { name: 'ask', timeout_s: 0 },
          { name: 'play', input_schema: inputSchema, timeout_s: 120 },
        ],
      },
    ],
  });
});

t.test('calls lists what waits, arguments in short for people and whole for machines', async (t) => {
  const daemon = await startDaemon(t);
  const none = await runLeo(t, daemon.env, 'calls');
  t.equal(none.stdout, 'No call is waiting. Try a tool: leo tools, then leo call TOOL\n');
  t.same(JSON.parse((await runLeo(t, daemon.env, 'calls', '--json')).stdout), { requests: [] });

  await startApp(t, daemon.socket, 'slow', [
    {
      name: 'think',
      inputSchema: { type: 'object', properties: { about: { type: 'string' } } },
      handler: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
  ]);
  const about = 'everything '.repeat(20);
  const call = startLeo(t, daemon.env, 'call', 'think', '--args', JSON.stringify({ about }));
  const line = await until('the call is claimed', async () => {
    const { stdout } = await runLeo(t, daemon.env, 'calls');
    return stdout.includes('claimed by') ? stdout.split('\n')[1] : undefined;
  });
  t.match(line, /^r_\S+ +cli +think +claimed by c_\S+ +(2 m|1 m \d+ s) +\{"about":"everything .*…$/);
  const { stdout } = await runLeo(t, daemon.env, 'calls', '--json');
  t.match(JSON.parse(stdout), {
    requests: [{ id: /^r_/, agent: 'cli', tool: 'think', arguments: { about }, state: 'claimed' }],
  });
  call.child.kill('SIGINT');
  t.equal((await call.ended).code, 1);
});
