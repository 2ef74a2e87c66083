// Serves one harness on stdin and stdout, from the first byte to the exit (design 8).
//
// - The process ends within a second of stdin's end, a signal, a broken stdout, or its parent's death; its
//   calls are cancelled at once, requests that need no app are still answered, and a line that was begun is
//   written whole, however large, as long as the reader reads.

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isObject } from '../wire/json.js';
import type { Clock } from './clock.js';
import { optimise } from './engine.js';
import { watchLifetime } from './lifetime.js';
import { type Log, withoutQuotes } from './log.js';
import { createMcpServer } from './mcp-server.js';
import { parentAtStart } from './parent.js';
import type { Session } from './session.js';
import { openStdout } from './stdio/open-stdout.js';
import { LineWriter } from './stdio/stdout.js';
import { StdioTransport } from './stdio/transport.js';
import { ToolCalls } from './tools/tool-calls.js';

/** How long answers that are on their way may take after stdin has ended; a list takes 300 ms at most. */
const lastAnswersMs = 400;
/** How long a reader may take nothing of what is still to be written. */
const readerPatienceMs = 400;

/** Where the stateless protocol carries what `initialize` says (2026-07-28). */
const envelopeClient = 'io.modelcontextprotocol/clientInfo';
const envelopeVersion = 'io.modelcontextprotocol/protocolVersion';

export function serve(session: Session, log: Log, clock: Clock, remedy: () => string): void {
  let ending = false;
  let called = false;
  const stdout = openStdout(() => end('nobody reads stdout', 0));
  const writer = new LineWriter(stdout, clock, (error) => end(`stdout broke: ${error.message}`, 0));
  const transport = new StdioTransport({
    stdin: process.stdin,
    writer,
    log,
    onInbound: observe,
    onEnd: () => end(undefined, lastAnswersMs),
  });
  const calls = new ToolCalls({ session, log, remedy });
  serveStdio(() => createMcpServer(session, calls, log), {
    transport,
    onerror: (error) => log(`warning: ${withoutQuotes(error)}`),
  });
  watchLifetime(parentAtStart, (why) => end(why, 0));

  function observe(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { method, params } = message;
    const meta = isObject(params?._meta) ? params._meta : {};
    if (method === 'tools/call' && !called) optimise();
    called ||= method === 'tools/call';
    session.requested(method, method === 'initialize' ? params?.clientInfo : meta[envelopeClient]);
    if (method !== 'subscriptions/listen' || typeof meta[envelopeVersion] !== 'string') return;
    if (isObject(params?.notifications) && params.notifications.toolsListChanged === true) session.listens();
  }

  async function end(why: string | undefined, answersMs: number): Promise<void> {
    if (ending) return;
    ending = true;
    if (why !== undefined) log(`ending: ${why}`);
    session.end();
    await transport.answered(clock, answersMs);
    await transport.close();
    await Promise.all([writer.finish(readerPatienceMs), session.link.close()]);
    process.exit(0);
  }
}
