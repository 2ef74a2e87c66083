// The other floor: the MCP SDK's own server, unbundled, doing what the bare one does.

import { createRequire } from 'node:module';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = [
  { name: 'echo', description: 'Gives the text back.', inputSchema: schema },
  { name: 'image', description: 'Gives an image of 5 MB.', inputSchema: { type: 'object', properties: {} } },
];
let image;

serveStdio(() => {
  const server = new Server({ name: 'sdk', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === 'echo') return { content: [{ type: 'text', text: params.arguments.text }] };
    image ??= createRequire(import.meta.url)('./image.cjs').image();
    return { content: [image] };
  });
  return server;
});
