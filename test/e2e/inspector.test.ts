// The MCP Inspector's CLI, as somebody who tries a server would run it.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { connect } from '../../lib/app/index.js';
import { leo, root, startDaemon } from '../support/daemon.js';

const run = promisify(execFile);

t.test('the MCP Inspector lists and calls the tool of an app', async (t) => {
  const daemon = await startDaemon(t);
  const app = await connect({ socket: daemon.socket });
  t.teardown(() => app.close());
  await app.offer('desk', [
    {
      name: 'greet',
      description: 'Greets.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: ({ agent, arguments: { name } }) => `hello ${name}, says the app to ${agent}`,
    },
  ]);
  // The Inspector passes few variables on, so the home is named to it. It says that it is Node 22's, and runs on 20.
  const inspector = join(
    root,
    'node_modules',
    '@modelcontextprotocol',
    'inspector',
    'clients',
    'launcher',
    'build',
    'index.js',
  );
  const inspect = async (...args: readonly string[]): Promise<unknown> => {
    const server = [process.execPath, leo, 'mcp-server', '--agent', 'inspector', '--harness', 'claude-code'];
    const { stdout } = await run(
      process.execPath,
      [inspector, '--cli', '-e', `LEO_HOME=${daemon.home}`, ...server, ...args],
      {
        env: { ...daemon.env, HOME: daemon.home },
      },
    );
    return JSON.parse(stdout);
  };
  t.match(await inspect('--method', 'tools/list'), {
    tools: [
      { name: 'greet', description: 'Greets.' },
      { name: 'leo_app_wait' },
      { name: 'leo_list_agents' },
      { name: 'leo_send_message' },
    ],
  });
  t.match(await inspect('--method', 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ada'), {
    content: [{ type: 'text', text: 'hello Ada, says the app to inspector' }],
  });
});
