// What `npm start` shows: an agent's MCP client sees an app's tools appear, calls them, and gets the app's answers.
// The client is the MCP SDK's own (1.x), which knows nothing of Leo.

import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { until } from './processes.mjs';

/** The app of the demonstration, and the calls that are made. */
const file = 'examples/desk/desk.mjs';
const calls = [
  { name: 'roll_dice', arguments: { dice: 2 } },
  { name: 'show_dice', arguments: { eyes: 5 } },
];
const [{ name: wanted }] = calls;

/**
 * Shows it.
 *
 * @param say takes what happened: who, and what.
 * @returns the app's process; undefined where another app already offered the tools.
 */
export async function demonstrate({ address, env, processes, say }) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const { ask } = await import('../../build/lib/cli/daemon-client.js');
  const { readAgents, readRegistered } = await import('../../build/lib/cli/answers.js');

  const client = new Client({ name: 'leo-start', version: '1' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes++;
  });
  const toolNames = async () => (await client.listTools()).tools.map((tool) => tool.name);
  try {
    // An unknown harness would be shown app tools through leo_app_call; this client re-lists, as Claude Code does.
    const args = [join(root, 'bin', 'leo.js'), 'mcp-server', '--agent', 'demo', '--harness', 'claude-code'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
    );
    await until('the agent did not come up', undefined, async () => {
      const { agents } = readAgents(await ask(address, '/api/v1/agents'));
      return agents.some((agent) => agent.name === 'demo') ? true : undefined;
    });
    const before = await toolNames();
    say('agent', `demo, an MCP client of "leo mcp-server", sees ${before.join(', ') || 'no tools'}`);

    const { groups } = readRegistered(await ask(address, '/api/v1/client-tools'));
    const offered = groups.some((group) => group.tools.some((tool) => tool.name === wanted));
    let app;
    if (offered) {
      say('app', `another app already offers ${wanted}; it is used`);
    } else {
      const begun = Date.now();
      app = processes.start([join(root, file)], env);
      say('app', `${file} started (pid ${app.child.pid})`);
      await until('the agent was not told of a new tool', app, () => (changes > 0 ? true : undefined));
      say('agent', `is told after ${Date.now() - begun} ms that the list of tools has changed`);
    }
    const after = await until(`the agent does not see ${wanted}`, app, async () => {
      const names = await toolNames();
      return names.includes(wanted) ? names : undefined;
    });
    say('agent', `sees ${after.filter((name) => offered || !before.includes(name)).join(', ')}`);
    for (const call of calls) {
      say('agent', `calls ${call.name} ${JSON.stringify(call.arguments)}`);
      const { content, isError } = await client.callTool(call);
      const answer = content.map(inWords).join(' ');
      if (isError) throw new Error(`${call.name} failed: ${answer}`);
      say('app', `answers ${answer}`);
    }
    return app;
  } finally {
    await client.close();
  }
}

/** A content block as one line shows it. */
function inWords({ type, text, data, mimeType }) {
  if (type === 'text') return text;
  return data === undefined ? `(${type})` : `(${mimeType}, ${Buffer.from(data, 'base64').length} bytes)`;
}
