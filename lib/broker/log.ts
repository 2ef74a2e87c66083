// The daemon's log: one line for each thing, to stderr. Pure; whoever writes it stands elsewhere.
//
// What must stay true: no line holds an argument, a result, a message's text or a token, whatever the level; a line
// cannot be made to look like two by what is in it.
//
// A line says its level by how it begins: `error: `, `warning: ` and `debug: `; all else is information.

import { type LogFormat, type LogLevel, logLevels } from '../config/log-options.js';

export interface LogOptions {
  /** The least that is written. */
  readonly level: LogLevel;
  readonly format: LogFormat;
}

const beginnings: readonly (readonly [begin: string, level: LogLevel])[] = [
  ['error: ', 'error'],
  ['warning: ', 'warn'],
  ['debug: ', 'debug'],
];

/**
 * A line as it is written, with its end; undefined where the level leaves it out.
 *
 * @param now epoch milliseconds, for the lines of JSON; who reads the others has a clock of his own (the journal, say).
 */
export function logLine(line: string, now: number, { level, format }: LogOptions): string | undefined {
  const [begin = '', of = 'info'] = beginnings.find(([begin]) => line.startsWith(begin)) ?? [];
  if (logLevels.indexOf(of) > logLevels.indexOf(level)) return undefined;
  if (format === 'json') {
    const message = line.slice(begin.length);
    return `${JSON.stringify({ time: new Date(now).toISOString(), level: of, message })}\n`;
  }
  // The lines of a stack stay lines, set in.
  return `${line.replaceAll('\n', '\n  ').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
