// The gateway's log: lines on stderr, of the levels and formats of the daemon's (lib/config/log-line.ts). stdout belongs to
// JSON-RPC.

import { writeSync } from 'node:fs';
import { logLine } from '../config/log-line.js';
import { logFormats, logLevels } from '../config/log-options.js';

export type Log = (message: string) => void;

/**
 * Makes the log; it never throws, whatever has become of stderr.
 *
 * @param env `LEO_LOG_LEVEL` and `LEO_LOG_FORMAT` are read. What neither knows is as if it were not said: a harness's
 *   settings are no reason to leave its agent without tools.
 */
export function logToStderr(env: Readonly<Record<string, string | undefined>>): Log {
  const level = logLevels.find((one) => one === env.LEO_LOG_LEVEL) ?? 'info';
  const format = logFormats.find((one) => one === env.LEO_LOG_FORMAT) ?? 'pretty';
  return (message) => {
    try {
      const line = logLine(message, Date.now(), { level, format, name: 'leo mcp-server' });
      if (line !== undefined) writeSync(2, line);
    } catch {
      // A harness may close stderr or stop reading it. There is nowhere left to say so, and the agent's work
      // does not depend on it.
    }
  };
}

/**
 * An error of the SDK's in words, without what it quotes: some of its messages end with a whole notification or response,
 * and those hold what an agent has said or was told.
 */
export function withoutQuotes(error: Error): string {
  return error.message.replace(/[{["][\s\S]*$/, '…');
}

/** Sends everything that a library may print to stderr: nothing but JSON-RPC goes to stdout (design 8). */
export function guardConsole(log: Log): void {
  const toLog = (...parts: readonly unknown[]) => log(parts.map(String).join(' '));
  Object.assign(console, {
    log: toLog,
    info: toLog,
    debug: toLog,
    warn: toLog,
    error: toLog,
    trace: toLog,
    dir: toLog,
    table: toLog,
  });
}
