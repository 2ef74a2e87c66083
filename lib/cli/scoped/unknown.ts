// A client or a device that is not there, and which are.

import { CliError } from '../failure.js';

export function unknownClient(name: string, there: readonly string[]): CliError {
  return unknown('client', name, there);
}

export function unknownDevice(name: string, there: readonly string[]): CliError {
  return unknown('device', name, there);
}

function unknown(what: string, name: string, there: readonly string[]): CliError {
  const others = there.length === 0 ? `there is none yet` : `there is ${there.join(', ')}`;
  return new CliError(`no ${what} ${name}; ${others}`);
}
