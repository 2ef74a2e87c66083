// The names that a completion offers for what exists just now. A key was pressed: there are names within half a
// second, or none, and never an error.

import { readdirSync, readFileSync } from 'node:fs';
import { socketOf } from '../../config/daemon-file.js';
import type { Places } from '../../config/paths.js';
import { isObject } from '../../wire/json.js';
import type { NameKind } from './tree.js';

/** How long the daemon may take, in milliseconds. */
const withinMs = 500;

/** The names of a kind, sorted, each once. */
export async function namesOf(kind: NameKind, places: Places): Promise<readonly string[]> {
  const found = await lookUp[kind](places);
  // One a line: what holds a line break would be two.
  return [...new Set(found)].filter((name) => !/[\u0000-\u001f\u007f]/.test(name)).sort();
}

const lookUp: Readonly<Record<NameKind, (places: Places) => Promise<readonly string[]>>> = {
  tools: async (places) => {
    const data = await asked(places, '/api/v1/client-tools');
    return listIn(data, 'groups').flatMap((group) => namesIn(group, 'tools'));
  },
  agents: async (places) => namesIn(await asked(places, '/api/v1/agents'), 'agents'),
  templates: async (places) => Object.keys((await configOf(places))?.templates ?? {}),
  clients: async (places) => Object.keys((await configOf(places))?.apiClients ?? {}),
  devices: async ({ devices }) => {
    try {
      return readdirSync(devices)
        .filter((file) => file.endsWith('.token'))
        .map((file) => file.slice(0, -'.token'.length));
    } catch {
      return [];
    }
  },
};

async function asked(places: Places, path: string): Promise<unknown> {
  const { askData } = await import('../../doctor/gather/ask.js');
  return await askData({ socketPath: socketOf(places) }, path, withinMs);
}

async function configOf(places: Places) {
  const { parseConfig } = await import('../../config/config.js');
  try {
    return parseConfig(readFileSync(places.config, 'utf8'));
  } catch {
    return undefined; // There is none, or it says nothing that can be used.
  }
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function namesIn(value: unknown, key: string): readonly string[] {
  return listIn(value, key).flatMap((one) =>
    isObject(one) && typeof one.name === 'string' ? [one.name] : [],
  );
}
