// The tokens of a home, read together (design 4, 10): the operator's and the agents', one of each scoped client
// that leo.yaml names, and one of each device.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../../config/config.js';
import { checkOwnFolder } from '../../config/folders.js';
import type { Places } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { scopedNameFault } from '../../config/scoped-name.js';
import { readToken, tokenIn } from '../../config/token-file.js';
import { type TokenHolder, TokenTable } from '../access/token-table.js';

export interface ReadTokens {
  readonly tokens: TokenTable;
  /** What is odd and changes nothing, for people. */
  readonly warnings: readonly string[];
  /** Files that cannot be believed; their tokens are not in the table. */
  readonly faults: readonly PlaceError[];
}

interface Found {
  readonly token: string;
  readonly path: string;
  readonly holder: TokenHolder;
}

/** Reads every token; those of the operator and of agents are made if there are none. */
export function readTokens(places: Places, clients: Readonly<Record<string, ApiClient>>): ReadTokens {
  const warnings: string[] = [];
  const faults: PlaceError[] = [];
  const found: Found[] = [];
  const take = (path: string, read: (path: string) => string | undefined, holder: TokenHolder) => {
    const token = orFault(faults, () => read(path));
    if (token === undefined) return;
    // With two holders of one token it could not be said who calls.
    const same = found.find((other) => other.token === token);
    if (same === undefined) found.push({ token, path, holder });
    else faults.push(new PlaceError(`${path} holds the token of ${same.path}; give it one of its own`));
  };
  take(places.apiToken, tokenIn, { role: 'operator', name: 'operator' });
  take(places.agentToken, tokenIn, { role: 'agent', name: 'agent' });
  const clientFiles = orFault(faults, () => namesIn(places.clients, 'client', warnings)) ?? [];
  for (const name of clientFiles) {
    const path = join(places.clients, `${name}.token`);
    const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
    if (client === undefined)
      warnings.push(`${path} is of no client that leo.yaml names; it counts for nothing`);
    else take(path, readToken, { role: 'client', name, canMessage: client.canMessage });
  }
  for (const name of orFault(faults, () => namesIn(places.devices, 'device', warnings)) ?? [])
    take(join(places.devices, `${name}.token`), readToken, { role: 'device', name });
  for (const name of Object.keys(clients)) {
    if (clientFiles.includes(name)) continue;
    const fault = scopedNameFault('client', name);
    warnings.push(
      fault === undefined
        ? `the client ${name} has no token; make one: leo client rotate ${name}`
        : `api_clients.${name} counts for nothing: ${fault}`,
    );
  }
  return { tokens: new TokenTable(found), warnings, faults };
}

/** Whose tokens lie in a folder, sorted; none where there is no folder. */
function namesIn(folder: string, what: 'client' | 'device', warnings: string[]): readonly string[] {
  if (!checkOwnFolder(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.token'))
    .map((file) => file.slice(0, -'.token'.length))
    .filter((name) => {
      const fault = scopedNameFault(what, name);
      if (fault !== undefined) warnings.push(`${join(folder, `${name}.token`)} counts for nothing: ${fault}`);
      return fault === undefined;
    })
    .sort();
}

/** What a reading brings; where it fails, undefined and a fault more. */
function orFault<T>(faults: PlaceError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // A disk that cannot be read or written is a fault of the place, and no end of a daemon that runs.
    if (!(error instanceof PlaceError) && !isSystemError(error)) throw error;
    faults.push(error instanceof PlaceError ? error : new PlaceError(error.message, { cause: error }));
    return undefined;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
