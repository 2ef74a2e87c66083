// The gateway's log: lines on stderr. stdout belongs to JSON-RPC.

import { writeSync } from 'node:fs';

export type Log = (message: string) => void;

/** Writes one line to stderr; never throws, whatever has become of stderr. */
export function logToStderr(message: string): void {
  try {
    writeSync(2, `leo mcp-server: ${message.replaceAll('\n', '\n  ')}\n`);
  } catch {
    // A harness may close stderr or stop reading it. There is nowhere left to say so, and the agent's work
    // does not depend on it.
  }
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
