// A line of a log, the daemon's or a gateway's: one for each thing, to stderr. Pure; whoever writes it stands elsewhere.
//
// What must stay true: no line holds an argument, a result, a message's text or a token, whatever the level; a line
// cannot be made to look like two by what is in it.
//
// A line says its level by how it begins: `error: `, `warning: ` and `debug: `; all else is information.

import { type LogFormat, type LogLevel, logLevels } from './log-options.js';

export interface LogOptions {
  /** The least that is written. */
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Stands in front of each line that is not JSON: who writes it, or nothing. */
  readonly name?: string;
  /** Whether the time stands in front of those too: where whoever keeps them has no clock of his own, as the journal has. */
  readonly timed?: boolean;
}

const beginnings: readonly (readonly [begin: string, level: LogLevel])[] = [
  ['error: ', 'error'],
  ['warning: ', 'warn'],
  ['debug: ', 'debug'],
];

/**
 * A line as it is written, with its end; undefined where the level leaves it out.
 *
 * @param now epoch milliseconds.
 */
export function logLine(
  line: string,
  now: number,
  { level, format, name, timed = false }: LogOptions,
): string | undefined {
  const [begin = '', of = 'info'] = beginnings.find(([begin]) => line.startsWith(begin)) ?? [];
  if (logLevels.indexOf(of) > logLevels.indexOf(level)) return undefined;
  const time = new Date(now).toISOString();
  if (format === 'json') {
    const message = line.slice(begin.length);
    return `${JSON.stringify({ time, level: of, message })}\n`;
  }
  // The lines of a stack stay lines, set in.
  const shown = line
    .replaceAll('\n', '\n  ')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escaped);
  return `${timed ? `${time} ` : ''}${name === undefined ? '' : `${name}: `}${shown}\n`;
}

/** Why a program does not start, at any level: as every command says it, or as a line of JSON where the log is that. */
export function failureLine(message: string, now: number, options: LogOptions): string {
  const line = options.format === 'json' ? `error: ${message}` : message;
  return logLine(line, now, { ...options, level: 'info', name: 'leo' }) ?? '';
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
