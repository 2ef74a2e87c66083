// What a harness can do with a tool list (design 8), from harnesscaps.json and what the user overrides. Pure.
//
// A name is matched as it stands, letter for letter: a proxy that adds its own name, or another spelling, is
// another harness, about which nothing was measured, and an unmeasured harness gets what is safe: the fallback.

import type { Config } from '../../config/config.js';
import type { HarnessEntry } from '../../config/harness-caps.js';
import { isHarnessNamed } from '../../config/harness-pattern.js';
import { unknownHarness } from '../../config/unknown-harness.js';
import type { Harness, ToolMode } from '../../wire/bodies/agents.js';
import type { CallLimit } from '../calls/soft-deadline.js';

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
  /** After how many characters it cuts a description; null for never. */
  readonly descriptionLimit: number | null;
  readonly callLimit: CallLimit;
}

/** What decides how a harness is served. */
export interface TreatmentSource {
  readonly table: HarnessTable;
  readonly overrides: HarnessOverrides;
  /** The name in `clientInfo`. */
  readonly name: string | undefined;
  /** What `--harness` or LEO_HARNESS say in its place: such a name, or what `leo harness` calls it. */
  readonly said: string | undefined;
  /** Whether it asked for tool changes with `subscriptions/listen`, which shows that it re-lists. */
  readonly listens: boolean;
  /** Whether an earlier session of it was seen not to re-list. */
  readonly missed: boolean;
  /** Its limit as `--call-timeout` says it; undefined where that says nothing. */
  readonly callTimeoutMs: number | undefined;
}

/** How a harness is served. leo.yaml has the last word on the mode, the command line on the time limit. */
export function treatmentOf(source: TreatmentSource): Treatment {
  const { table, overrides, said, listens, missed, callTimeoutMs } = source;
  const name = said ?? source.name;
  const known =
    name === undefined
      ? undefined
      : table.harnesses.find(
          (entry) => entry.name === said || entry.names.some((pattern) => isHarnessNamed(pattern, name)),
        );
  const caps = known ?? unknownHarness;
  const override =
    name === undefined
      ? undefined
      : Object.entries(overrides).find(([key]) => isHarnessNamed(key, name) || key === known?.name)?.[1];
  const native = listens || (caps.relists && !missed);
  const limitS = override?.callLimitS === undefined ? caps.call_limit_s : override.callLimitS;
  return {
    mode: override?.tools ?? (native ? 'native' : 'fallback'),
    dropsRootCombinators: caps.drops_root_combinators,
    descriptionLimit: caps.description_limit,
    callLimit: {
      ms: callTimeoutMs ?? (limitS === null ? undefined : limitS * 1000),
      progressExtends: override?.progressExtends ?? caps.progress_extends,
    },
  };
}

/** The name in `clientInfo` as it stands, which a harness is matched by. */
export function clientName(clientInfo: unknown): string | undefined {
  const named = typeof clientInfo === 'object' && clientInfo !== null && 'name' in clientInfo;
  return named && typeof clientInfo.name === 'string' ? clientInfo.name : undefined;
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
