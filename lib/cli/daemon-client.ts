// What the CLI asks the daemon: one request a command, over the unix socket and nothing else, since its peers are
// the operator (design 10) and no token has to be read. node:http, not undici: `leo status` should start as
// fast as Node does, and undici alone takes longer than all the rest of it.
//
// Whatever state the daemon is in, an answer or an error in words comes within `answerWithinMs`; what the daemon
// has to wait for itself is given longer by who asks.

import { request } from 'node:http';
import { type DaemonFile, readDaemonFile, socketOf } from '../config/daemon-file.js';
import { type Places, placesOf } from '../config/paths.js';
import { readServiceFile } from '../config/service-file.js';
import { isObject } from '../wire/json.js';
import { CliError } from './failure.js';

/** How long a daemon may take to answer, in milliseconds; a stopped one never does. */
export const answerWithinMs = 3000;

/** Where the daemon of a LEO_HOME is, as far as can be told without asking it. */
export interface DaemonAddress {
  readonly places: Places;
  readonly socket: string;
  /** What daemon.json says, if there is one; a killed daemon leaves its own behind. */
  readonly file: DaemonFile | undefined;
}

export function daemonAddress(env: Readonly<Record<string, string | undefined>>): DaemonAddress {
  const places = placesOf(env);
  const file = readDaemonFile(places.daemonFile);
  return { places, socket: socketOf(places), file };
}

/** What is said when a connection to the daemon fails. */
export function explainConnection(
  error: unknown,
  { places, socket, file }: DaemonAddress,
  withinMs = answerWithinMs,
): CliError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = { cause: error };
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK') {
    const start = readServiceFile(places.serviceFile) === undefined ? 'leo daemon' : 'leo service start';
    return new CliError(`no daemon answers at ${socket}; start one: ${start}`, 1, cause);
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new CliError(`${socket} belongs to another user; set LEO_HOME to a home of your own`, 1, cause);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    const pid = file === undefined ? '' : ` (pid ${file.pid})`;
    const mend = file === undefined ? '' : `; wake it: kill -CONT ${file.pid}`;
    return new CliError(
      `the daemon${pid} at ${socket} did not answer within ${withinMs / 1000} s; it may be stopped${mend}`,
      1,
      cause,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(`the daemon at ${socket} cannot be asked: ${reason}`, 1, cause);
}

/**
 * Asks the daemon.
 *
 * @returns the `data` of its answer.
 * @throws {CliError} when no daemon answers, or it answers with an error.
 */
export async function ask(
  address: DaemonAddress,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<unknown> {
  const answer = await answerTo(address, { method, path, withinMs: answerWithinMs });
  if (answer.ok) return answer.data;
  throw new CliError(`the daemon at ${address.socket} says to ${method} ${path}: ${answer.reason}`);
}

/** Whether an error says that no daemon listens, rather than that one could not be reached or refused. */
export function isNoDaemon(error: unknown): boolean {
  const cause: unknown = error instanceof CliError ? error.cause : error;
  return (
    cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED')
  );
}

/** Whether an error says that a daemon listens and has not answered in time: it is stopped, or hangs. */
export function isSilent(error: unknown): boolean {
  return error instanceof CliError && error.cause instanceof Error && error.cause.name === 'TimeoutError';
}

/** What the daemon is to do. */
export interface Demand {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** How long it may take, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Has the daemon do something.
 *
 * @returns the `data` of its answer.
 * @throws {CliError} when no daemon answers; with the daemon's own words when it refuses.
 */
export async function demand(address: DaemonAddress, what: Demand): Promise<unknown> {
  const answer = await answerTo(address, what);
  if (answer.ok) return answer.data;
  throw new CliError(answer.reason);
}

interface Question extends Omit<Demand, 'method'> {
  readonly method: string;
}
type Answer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly reason: string };

async function answerTo(address: DaemonAddress, question: Question): Promise<Answer> {
  let text: string;
  try {
    text = await send(address.socket, question);
  } catch (error) {
    throw explainConnection(error, address, question.withinMs);
  }
  const answer = parse(text);
  if (answer?.ok === true) return { ok: true, data: answer.data };
  return { ok: false, reason: typeof answer?.error === 'string' ? answer.error : 'its answer is not JSON' };
}

function send(socketPath: string, { method, path, body, withinMs }: Question): Promise<string> {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers =
    payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(payload.length) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(withinMs);
    const call = request({ socketPath, method, path, headers, agent: false, signal });
    // An aborted request fails with an AbortError whose cause is the signal's TimeoutError.
    const fail = (error: Error) =>
      reject(error.name === 'AbortError' && error.cause instanceof Error ? error.cause : error);
    call.on('error', fail);
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('error', fail);
      response.on('end', () => resolve(text));
    });
    call.end(payload);
  });
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
