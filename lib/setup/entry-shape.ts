// What an entry looks like in the files: the shapes that harnesses share. Pure.

import type { ServerEntry } from './types.js';

export type Values = Readonly<Record<string, unknown>>;

/** Keys of an entry for a server that is reached otherwise than by starting it. */
export const remote = { url: undefined, httpUrl: undefined, headers: undefined, type: undefined };

export function plain(entry: ServerEntry): Values {
  return { command: entry.command, args: entry.args, env: entry.env };
}

export function milliseconds(entry: ServerEntry): number | undefined {
  return entry.callLimitS === undefined ? undefined : entry.callLimitS * 1000;
}

/** @param perSecond how many units of `timeout` make a second. */
export function readPlain(perSecond: number): (values: Values) => Omit<ServerEntry, 'name'> {
  return ({ command, args, env, timeout }) => ({
    command: typeof command === 'string' ? command : '',
    args: stringsOf(args),
    env: stringMapOf(env),
    callLimitS: secondsOf(timeout, perSecond),
  });
}

export function writeOpencode(entry: ServerEntry): Values {
  return {
    ...remote,
    type: 'local',
    command: [entry.command, ...entry.args],
    environment: entry.env,
    timeout: milliseconds(entry),
  };
}

export function readOpencode({ command, environment, timeout }: Values): Omit<ServerEntry, 'name'> {
  const [program = '', ...args] = stringsOf(command);
  return { command: program, args, env: stringMapOf(environment), callLimitS: secondsOf(timeout, 1000) };
}

export function opencodeLimit(file: Values): number | undefined {
  return isValues(file.experimental) ? secondsOf(file.experimental.mcp_timeout, 1000) : undefined;
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function secondsOf(value: unknown, perSecond: number): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : number / perSecond;
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function stringMapOf(value: unknown): Readonly<Record<string, string>> {
  if (!isValues(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
