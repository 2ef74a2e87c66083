// What a harness can do with a tool list (design 8), from harnesscaps.json and what the user overrides. Pure.
//
// A name is matched as it stands, letter for letter: a proxy that adds its own name, or another spelling, is
// another harness, about which nothing was measured, and an unmeasured harness gets the fallback.

import type { Config } from '../../config/config.js';
import type { HarnessEntry } from '../../config/harness-caps.js';
import type { Harness, ToolMode } from '../../wire/requests.js';

/** What the gateway takes from an entry of harnesscaps.json. */
export type HarnessCaps = Pick<
  HarnessEntry,
  | 'name'
  | 'names'
  | 'relists'
  | 'drops_root_combinators'
  | 'description_limit'
  | 'call_limit_s'
  | 'progress_extends'
>;
export interface HarnessTable {
  readonly harnesses: readonly HarnessCaps[];
}

/** What leo.yaml says of harnesses. */
export type HarnessOverrides = Config['harnesses'];

/** How this session's harness is served. */
export interface Treatment {
  readonly mode: ToolMode;
  readonly dropsRootCombinators: boolean;
}

/**
 * How a harness is served.
 *
 * @param name the name in `clientInfo`, or what `--harness` or LEO_HARNESS say in its place.
 * @param listens whether it asked for tool changes with `subscriptions/listen`, which shows that it re-lists.
 */
export function treatmentOf(
  table: HarnessTable,
  overrides: HarnessOverrides,
  name: string | undefined,
  listens: boolean,
): Treatment {
  const caps =
    name === undefined
      ? undefined
      : table.harnesses.find((entry) => entry.names.some((pattern) => matches(pattern, name)));
  const override =
    name === undefined
      ? undefined
      : Object.entries(overrides).find(([pattern]) => matches(pattern, name))?.[1].tools;
  const native = listens || caps?.relists === true;
  return {
    mode: override ?? (native ? 'native' : 'fallback'),
    dropsRootCombinators: caps?.drops_root_combinators ?? false,
  };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** A harness as the broker is told of it: whatever `clientInfo` held, cut to a length and without control characters. */
export function harnessOf(clientInfo: unknown): Harness | null {
  if (typeof clientInfo !== 'object' || clientInfo === null) return null;
  const name = 'name' in clientInfo ? shortText(clientInfo.name) : '';
  if (name === '') return null;
  return { name, version: 'version' in clientInfo ? shortText(clientInfo.version) : '' };
}

function shortText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
