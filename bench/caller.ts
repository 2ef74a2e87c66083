// Who makes the calls that rows time: the MCP SDK's own client (1.x), as most harnesses do, or the raw driver,
// which costs next to nothing and so shows the servers alone.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { JsonObject } from '../lib/wire/json.js';
import type { McpClient } from './mcp-client.js';
import type { ServerCommand } from './servers.js';

export interface Caller {
  /** Calls a tool and gives the time until the answer is in hand, in milliseconds. */
  call(tool: string, args: JsonObject): Promise<number>;
  end(): Promise<void>;
}

/** A caller that is the SDK's client, connected. */
export async function sdkCaller({ args, env }: ServerCommand): Promise<Caller> {
  const client = new Client({ name: 'claude-code', version: '2.1.197' });
  const variables = Object.entries(env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: Object.fromEntries(variables),
      stderr: 'ignore',
    }),
  );
  return {
    async call(name, args) {
      const sent = performance.now();
      const { isError, content } = await client.callTool({ name, arguments: args });
      const ms = performance.now() - sent;
      if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
      return ms;
    },
    end: () => client.close(),
  };
}

/** A caller that is the raw driver. */
export function rawCaller(client: McpClient): Caller {
  return {
    async call(name, args) {
      const sent = performance.now();
      const { at } = await client.request('tools/call', { name, arguments: args });
      return at - sent;
    },
    end: () => client.end(),
  };
}
