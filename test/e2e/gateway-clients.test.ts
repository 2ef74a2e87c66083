// The SDK's clients, both lines and both eras, as the harnesses that they are in (issue 2).

import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import t from 'tap';
import { leo, startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { until } from '../support/wait.js';

const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const echo = { name: 'echo', handler: () => 'from the app' };

/** What a client must be able to do, whichever it is. */
interface AnyClient {
  list(): Promise<string[]>;
  call(name: string): Promise<unknown>;
  changes(): number;
}

const stdio = (home: string) => ({
  command: process.execPath,
  args: [leo, 'mcp-server'],
  env: { PATH: process.env.PATH ?? '', LEO_HOME: home, LEO_NO_AUTOSTART: '1' },
});

type Row = readonly [
  what: string,
  connect: (t: Parameters<typeof startDaemon>[0], home: string) => Promise<AnyClient>,
];
const clients: readonly Row[] = [
  [
    'the 1.x client',
    async (t, home) => {
      const client = new Client1({ name: 'claude-code', version: '1' });
      let changes = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        changes++;
      });
      t.teardown(() => client.close());
      await client.connect(new Stdio1(stdio(home)));
      return {
        list: async () => (await client.listTools()).tools.map((tool) => tool.name),
        call: async (name) => await client.callTool({ name, arguments: {} }),
        changes: () => changes,
      };
    },
  ],
  ...(['2025-11-25', '2026-07-28'] as const).map(
    (era) =>
      [
        `the 2.x client, ${era}`,
        async (t: Parameters<typeof startDaemon>[0], home: string) => {
          let changes = 0;
          const client = new Client2(
            { name: 'claude-code', version: '1' },
            {
              versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
              listChanged: { tools: { autoRefresh: false, onChanged: () => changes++ } },
            },
          );
          t.teardown(() => client.close());
          await client.connect(new Stdio2(stdio(home)));
          t.equal(client.getNegotiatedProtocolVersion(), era);
          return {
            list: async () => (await client.listTools()).tools.map((tool) => tool.name),
            call: async (name: string) => await client.callTool({ name, arguments: {} }),
            changes: () => changes,
          };
        },
      ] as const,
  ),
];

t.jobs = 2;
for (const [what, connect] of clients) {
  t.test(`${what} lists, is told of a change, and calls`, async (t) => {
    const daemon = await startDaemon(t);
    const client = await connect(t, daemon.home);
    t.strictSame(await client.list(), own);
    const app = await startApp(t, daemon.socket, 'demo', [echo]);
    await until('the client is told', () => client.changes() > 0);
    t.strictSame(await client.list(), ['echo', ...own]);
    t.match(await client.call('echo'), { content: [{ type: 'text', text: 'from the app' }] });
    await app.close();
    await until('the client is told again', () => client.changes() > 1);
    t.strictSame(await client.list(), own);
  });
}
