// The daemon's answers as the commands read them. The daemon may be of another version than this CLI, so an
// answer is looked at before it is believed: what a command needs and does not find is said in words.

import type { WireAgent, WireSupervised } from '../wire/bodies/agents.js';
import type { WireOpenRequest } from '../wire/bodies/calls.js';
import type { WireSeenHarness } from '../wire/bodies/harnesses.js';
import { isObject } from '../wire/json.js';
import type { WireTool } from '../wire/tool.js';
import { CliError } from './failure.js';

export interface Health {
  readonly version: string;
  readonly uptime_s: number;
}
export interface Group {
  readonly group: string;
  readonly client_id: string;
  readonly connected: boolean;
  readonly tools: readonly WireTool[];
}
export interface Registered {
  readonly revision: number;
  readonly groups: readonly Group[];
}

type Check<T> = (value: unknown) => value is T;

const isText: Check<string> = (value) => typeof value === 'string';
const isTextOrNull: Check<string | null> = (value) => value === null || typeof value === 'string';
const isNumber: Check<number> = (value) => typeof value === 'number';
const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
const isRecord: Check<Readonly<Record<string, unknown>>> = isObject;

/** A check of an object by the checks of its members; members that are not named may be anything. */
function object<T>(members: { readonly [Key in keyof Required<T>]: (value: unknown) => boolean }): Check<T> {
  const checks = Object.entries<(value: unknown) => boolean>(members);
  return (value): value is T => isObject(value) && checks.every(([key, check]) => check(value[key]));
}
function list<T>(item: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every((one) => item(one));
}
function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

const isHealth = object<Health>({ version: isText, uptime_s: isNumber });
const isTool = object<WireTool>({
  name: isText,
  description: optional(isText),
  input_schema: isRecord,
  timeout_s: isNumber,
});
const isRegistered = object<Registered>({
  revision: isNumber,
  groups: list(object<Group>({ group: isText, client_id: isText, connected: isFlag, tools: list(isTool) })),
});
const isRequests = object<{ readonly requests: readonly WireOpenRequest[] }>({
  requests: list(
    object<WireOpenRequest>({
      id: isText,
      agent: isText,
      group: isText,
      tool: isText,
      arguments: isRecord,
      timeout_s: isNumber,
      created_at: isText,
      deadline: isTextOrNull,
      state: (value) => value === 'parked' || value === 'claimed',
      claimed_by: isTextOrNull,
    }),
  ),
});
const isSupervised = object<WireSupervised>({
  template: isText,
  harness: isText,
  state: isText,
  detail: isTextOrNull,
  cwd: isText,
  restarts: isNumber,
  restart_at: isTextOrNull,
  tmux: (value) =>
    value === null ||
    object<NonNullable<WireSupervised['tmux']>>({
      server: isText,
      pane: isText,
      pid: isNumber,
      server_start: isNumber,
    })(value),
});
const isAgent = object<WireAgent>({
  name: isText,
  kind: isText,
  harness: (value) =>
    value === null || object<{ name: string; version: string }>({ name: isText, version: isText })(value),
  mode: isTextOrNull,
  sessions: isNumber,
  leo_versions: optional(list(isText)),
  started_at: isText,
  supervised: (value) => value === null || isSupervised(value),
});
const isAgents = object<{ readonly agents: readonly WireAgent[] }>({ agents: list(isAgent) });
const isSpawned = object<{ readonly agent: WireAgent }>({ agent: isAgent });
const isStopped = object<{ readonly name: string }>({ name: isText });

const isHarnesses = object<{ readonly harnesses: readonly WireSeenHarness[] }>({
  harnesses: list(
    object<WireSeenHarness>({
      name: isText,
      version: isText,
      relists: isFlag,
      relisted_at: isTextOrNull,
      missed_at: isTextOrNull,
    }),
  ),
});

const isReloaded = object<{ readonly warnings: readonly string[] }>({ warnings: list(isText) });

function read<T>(what: string, check: Check<T>): (value: unknown) => T {
  return (value) => {
    if (check(value)) return value;
    throw new CliError(
      `the daemon's answer about ${what} is not one that this leo knows: one of the two is older, and leo doctor says which`,
    );
  };
}

/** Reads the data of `GET /health`. */
export const readHealth = read('its health', isHealth);
/** Reads the data of `GET /api/v1/client-tools`. */
export const readRegistered = read('its tools', isRegistered);
/** Reads the data of `GET /api/v1/client-tools/requests`. */
export const readRequests = read('its calls', isRequests);
/** Reads the data of `GET /api/v1/agents`. */
export const readAgents = read('its agents', isAgents);
/** Reads the data of `POST /api/v1/agents`. */
export const readSpawned = read('a new agent', isSpawned);
/** Reads the data of `DELETE /api/v1/agents/{name}`. */
export const readStopped = read('the end of an agent', isStopped);
/** Reads the data of `GET /api/v1/harnesses`. */
export const readHarnesses = read('the harnesses it has seen', isHarnesses);
/** Reads the data of `POST /api/v1/reload`. */
export const readReloaded = read('its settings', isReloaded);
