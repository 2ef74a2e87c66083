// What `npm start` shows: an agent's MCP client sees an app's tool appear, calls it, and gets the app's answer.
// The client is the MCP SDK's own (1.x), which knows nothing of Leo.

import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { until } from './processes.mjs';

/** The app of the demonstration, and the call that is made. */
const example = { file: 'examples/hello-app.mjs', tool: 'say_hello', arguments: { name: 'Ada' } };

/**
 * Shows it.
 *
 * @param say takes what happened: who, and what.
 * @returns the app's process; undefined where another app already offered the tool.
 */
export async function demonstrate({ address, env, processes, say }) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const { ask } = await import('../../build/lib/cli/daemon-client.js');
  const { readRegistered } = await import('../../build/lib/cli/answers.js');

  const client = new Client({ name: 'leo-start', version: '1' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes++;
  });
  const toolNames = async () => (await client.listTools()).tools.map((tool) => tool.name);
  try {
    // An unknown harness would be shown app tools through leo_app_call; this client does re-list, as Claude Code does.
    const args = [join(root, 'bin', 'leo.js'), 'mcp-server', '--agent', 'demo', '--harness', 'claude-code'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
    );
    await until('the agent did not come up', undefined, async () => {
      const { agents } = await ask(address, '/api/v1/agents');
      return agents.some((agent) => agent.name === 'demo') ? true : undefined;
    });
    const before = await toolNames();
    say('agent', `demo, an MCP client of "leo mcp-server", sees ${before.join(', ') || 'no tools'}`);

    const registered = readRegistered(await ask(address, '/api/v1/client-tools'));
    const offered = registered.groups.some((group) => group.tools.some((tool) => tool.name === example.tool));
    let app;
    if (offered) {
      say('app', `another app already offers ${example.tool}; it is used`);
    } else {
      const begun = Date.now();
      app = processes.start([join(root, example.file)], { ...env, LEO_SOCKET: address.socket });
      say('app', `${example.file} started (pid ${app.child.pid})`);
      await until('the agent was not told of a new tool', app, () => (changes > 0 ? true : undefined));
      say('agent', `is told after ${Date.now() - begun} ms that the list of tools has changed`);
    }
    const names = await until(`the agent does not see ${example.tool}`, app, async () => {
      const now = await toolNames();
      return now.includes(example.tool) ? now : undefined;
    });
    say(
      'agent',
      `sees ${names.filter((name) => !before.includes(name) || name === example.tool).join(', ')}`,
    );
    say('agent', `calls ${example.tool} ${JSON.stringify(example.arguments)}`);
    const result = await client.callTool({ name: example.tool, arguments: example.arguments });
    const texts = result.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`));
    if (result.isError) throw new Error(`${example.tool} failed: ${texts.join(' ')}`);
    say('app', `answers: ${texts.join(' ')}`);
    return app;
  } finally {
    await client.close();
  }
}
