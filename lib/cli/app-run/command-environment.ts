// The environment of a tool's command. Pure.
//
// What must stay true: nothing of Leo's own environment reaches a command but LEO_HOME, so that no token does;
// and no argument can make the command impossible to start. What an environment cannot hold (a NUL, a very long
// text) is on stdin alone, where everything is.

import type { JsonObject, JsonValue } from '../../wire/json.js';

/** The longest value of one variable, in bytes; Linux starts no program with one of 128 KiB. */
export const maxVariableBytes = 32 * 1024;
/** The most bytes of all arguments together; macOS starts no program with a megabyte of them. */
export const maxArgumentBytes = 128 * 1024;

/**
 * @param own the environment of `leo app run`.
 * @param extra what the file says.
 */
export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
  agent: string,
  args: JsonObject,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (name === 'LEO_HOME' || !name.startsWith('LEO_'))) environment[name] = value;
  }
  Object.assign(environment, extra, { LEO_AGENT: agent });
  let left = maxArgumentBytes;
  for (const [name, value] of Object.entries(args)) {
    const variable = argumentVariable(name);
    const text = asText(value);
    const bytes = Buffer.byteLength(variable) + Buffer.byteLength(text);
    if (text.includes('\0') || bytes > maxVariableBytes || bytes > left) continue;
    left -= bytes;
    environment[variable] = text;
  }
  return environment;
}

/** `LEO_ARG_` and the argument's name in upper case, every character but A-Z, 0-9 and `_` as `_`. */
export function argumentVariable(name: string): string {
  return `LEO_ARG_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
