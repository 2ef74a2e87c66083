// The bare floor: what a stdio MCP server costs when it is thirty lines of plain Node and answers by itself.
// It knows one tool that gives its argument back, and one that gives an image of 5 MB.

const { createInterface } = require('node:readline');

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = [
  { name: 'echo', description: 'Gives the text back.', inputSchema: schema },
  { name: 'image', description: 'Gives an image of 5 MB.', inputSchema: { type: 'object', properties: {} } },
];
let image;

function answer(method, params) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } };
  }
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  if (params.name === 'echo') return { content: [{ type: 'text', text: params.arguments.text }] };
  image ??= require('./image.cjs').image();
  return { content: [image] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })}\n`);
});
