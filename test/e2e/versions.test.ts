// Gateways and daemons of different versions of Leo (lib/wire/link-protocol.ts): what is older or newer by a minor
// version is played by a stand-in on one side, and the other side is real.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { spoken } from '../../lib/wire/link-protocol.js';
import { root, startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { Gateway, textOf } from '../support/gateway.js';
import { LinkAgent } from '../support/link-agent.js';
import { StandInDaemon } from '../support/stand-in-daemon.js';
import { until } from '../support/wait.js';

const snap = {
  name: 'snap',
  group: 'demo',
  provider: 'c_1',
  description: 'Takes a photo',
  input_schema: { type: 'object', properties: {} },
  timeout_s: 60,
  keyed: false,
} as const;

const daemons: readonly (readonly [what: string, greeting: object, tool: object, extras: boolean])[] = [
  // Says nothing that was added to version 1 later.
  ['an older minor version', { version: '0.0.1' }, {}, false],
  [
    'a newer minor version',
    { version: '99.1.0', colour: 'blue', limits: { calls: 3 } },
    { icon: 'data:,', annotations: { readOnly: true } },
    true,
  ],
];
for (const [what, greeting, more, extras] of daemons) {
  t.test(`a gateway works with a daemon of ${what}`, async (t) => {
    const home = temporaryHome(t);
    const daemon = await StandInDaemon.atHome(t, home, { tools: [{ ...snap, ...more }], greeting });
    const gateway = Gateway.start(t, { home });
    await gateway.initialize();
    await until('the tool is listed', async () => (await gateway.toolNames()).includes('snap'));
    if (extras) {
      daemon.send({ method: 'weather/changed', params: { rain: true } });
      daemon.send({ method: 'denied/changed', params: { denied: [], until: 'tomorrow' } });
    }
    const asked = gateway.request('tools/call', { name: 'snap', arguments: {} });
    const [call] = await until('the call has come', () => {
      const calls = daemon.got('call');
      return calls.length > 0 && calls;
    });
    if (extras) daemon.send({ method: 'call/claimed', params: { id: call?.id, client_id: 'c_1', room: 7 } });
    const result = { content: [{ type: 'text', text: 'a photo' }], ...(extras ? { took_ms: 5 } : {}) };
    daemon.send({ id: call?.id, result });
    t.match(await asked, { result: { content: [{ type: 'text', text: 'a photo' }] } });
  });
}

t.test('a gateway that is greeted in a protocol it does not speak says which end is the older', async (t) => {
  const rows = [
    [spoken.oldest - 1, /the daemon is the older: restart it with `leo service restart`/],
    [spoken.newest + 1, /the gateway is the older: restart the agent's session/],
  ] as const;
  await Promise.all(
    rows.map(async ([protocol, words]) => {
      const home = temporaryHome(t);
      await StandInDaemon.atHome(t, home, { greeting: { protocol, version: '7.7.7' } });
      const gateway = Gateway.start(t, { home });
      await gateway.initialize();
      const text = textOf(await gateway.call('leo_list_agents'));
      t.match(text, /^daemon_unreachable: .*Leo 7\.7\.7/);
      t.match(text, words);
    }),
  );
});

t.test('a gateway whose files an update has taken away goes on, and says what to do', async (t) => {
  const home = temporaryHome(t);
  const old = join(temporaryHome(t), 'old');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(old, part), {
      recursive: true,
      filter: (path) => !/[\\/](?:cli|console|types)$/.test(path),
    });
  writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
  const daemon = await startDaemon(t, { home });
  await startApp(t, daemon.socket, 'bell', [{ name: 'ring', handler: () => 'rung' }]);
  const command = [process.execPath, join(old, 'bin', 'leo.js'), 'mcp-server'];
  const gateway = Gateway.start(t, { home, command, env: { LEO_NO_AUTOSTART: '' } });
  await gateway.initialize();
  await until('the tool is listed', async () => (await gateway.toolNames()).includes('ring'));
  rmSync(old, { recursive: true });
  const words = /^failed: Leo was updated or removed since this session began, .*: start the session anew$/;
  t.match(textOf(await gateway.call('ring')), words);
  t.match(textOf(await gateway.call('leo_list_agents')), /"agents"/, 'what needs no file works');

  await daemon.end('SIGTERM');
  await until('it has tried to start a daemon', () => gateway.stderr.includes('cannot start the daemon'));
  await startDaemon(t, { home });
  t.match(
    await until('the new daemon is found', async () => {
      const result = await gateway.call('leo_list_agents');
      return result.isError !== true && result;
    }),
    { content: [{ text: /"agents"/ }] },
  );
});

t.test('a daemon works with gateways of an older and of a newer minor version', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'bell', [{ name: 'ring', handler: () => 'rung' }]);
  const hello = {
    protocol: spoken.oldest,
    harness: { name: 'test-harness', version: '1.0.0' },
    mode: 'native',
  };
  const rows = [
    ['older', '0.0.1', {}],
    ['newer', '99.1.0', { protocol_max: spoken.newest + 1, colour: 'blue', limits: { calls: 3 } }],
  ] as const;
  for (const [agent, version, more] of rows) {
    const link = await LinkAgent.open(t, { socket: daemon.socket });
    const greeted = await link.request('hello', { ...hello, version, agent, session: link.session, ...more });
    t.match(greeted, { result: { protocol: spoken.newest, catalogue: { tools: [{ name: 'ring' }] } } });
    link.notify('weather/asked', { where: 'here' });
    t.match(await link.request('weather/forecast', {}), { error: { code: -32601 } });
    link.send({
      id: `r_${agent}_version`,
      method: 'call',
      params: { tool: 'ring', arguments: {}, urgency: 'high' },
    });
    t.match(await link.response(`r_${agent}_version`), {
      result: { content: [{ type: 'text', text: 'rung' }] },
    });
    link.notify('call/received', { id: `r_${agent}_version`, took_ms: 5 });
  }
});

t.test('a gateway of another protocol is refused with the side that is to be restarted', async (t) => {
  const daemon = await startDaemon(t);
  const rows = [
    [{ protocol: spoken.oldest - 1 }, /the gateway is the older: restart the agent's session/],
    [
      { protocol: spoken.newest + 1, protocol_max: spoken.newest + 2 },
      /the daemon is the older: restart it with `leo service restart`, or end it/,
    ],
  ] as const;
  for (const [versions, words] of rows) {
    const link = await LinkAgent.open(t, { socket: daemon.socket });
    const refused = await link.request('hello', {
      ...versions,
      version: '7.7.7',
      session: link.session,
      agent: 'x',
      harness: null,
      mode: 'native',
    });
    t.match(refused, { error: { code: -32001, message: words } });
    t.match(refused, { error: { message: /Leo 7\.7\.7/ } });
  }
});
