// The MCP server as the SDK runs it: `serveStdio` makes one for the protocol era that the harness opens with.
//
// `tools/list` and `tools/call` are answered by the fallback handler: the SDK checks and copies the result of
// a registered `tools/call`, block by block, which would cost a large picture more than all of the relay.

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { version } from '../config/version.js';
import { instructionsFor } from './instructions.js';
import type { AppProgress } from './link/messages.js';
import { type Log, withoutQuotes } from './log.js';
import type { Session } from './session.js';
import { readCall, type ToolCalls } from './tools/tool-calls.js';

export function createMcpServer(session: Session, calls: ToolCalls, log: Log): Server {
  const server = new Server(
    { name: 'leo', title: 'Leo', version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: instructionsFor(session.mode),
    },
  );
  server.onerror = (error) => log(`warning: ${withoutQuotes(error)}`);
  server.fallbackRequestHandler = async (request, ctx) => {
    if (request.method === 'tools/list') return { tools: (await session.list()).tools };
    if (request.method !== 'tools/call') {
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    }
    const call = readCall(request.params);
    if (call === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'tools/call wants params with a name');
    }
    const { signal, _meta, notify } = ctx.mcpReq;
    const progressToken = _meta?.progressToken; // 0 is a token
    const report = (progress: AppProgress) => {
      notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(
        (error: Error) => log(`warning: progress was not sent: ${withoutQuotes(error)}`),
      );
    };
    const arrivedAt = session.now();
    const asker = { signal, arrivedAt, report: progressToken === undefined ? undefined : report };
    return { ...(await calls.call(call.name, call.args, asker)) };
  };
  session.serve(() => {
    server
      .sendToolListChanged()
      .catch((error: Error) => log(`warning: list_changed was not sent: ${withoutQuotes(error)}`));
  });
  return server;
}
