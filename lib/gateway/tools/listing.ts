// The list that a harness is shown (design 8): Leo's own tools, and the apps' in one form or the other. Pure.
//
// The same catalogue gives the same bytes: tools sorted by name, keys in canonical order.

import { isDenied } from '../../wire/deny.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { Treatment } from '../harness/caps.js';
import { fitTool } from './fitting.js';
import { fallbackTools, type ListedTool, sessionTools } from './own-tools.js';

export interface Listing {
  readonly tools: readonly ListedTool[];
  /** What two listings are compared by. */
  readonly bytes: string;
}

export interface ListingSource {
  readonly tools: readonly CatalogueTool[];
  readonly denied: readonly string[];
  readonly treatment: Treatment;
  /** Whether the fallback pair is listed: sampled once, when the session first lists tools. */
  readonly pair: boolean;
}

export function listTools(source: ListingSource): Listing {
  const { treatment } = source;
  const { mode } = treatment;
  const native = mode === 'native' ? source.tools.map((tool) => fitTool(tool, treatment)) : [];
  const pair = mode === 'fallback' && source.pair ? fallbackTools : [];
  const tools = [...sessionTools, ...pair, ...native]
    .filter((tool) => !isDenied(source.denied, tool.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools, bytes: JSON.stringify(tools) };
}
