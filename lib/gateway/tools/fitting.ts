// An app's tool as a harness can take it (design 8), from what was measured. Pure.
//
// What is changed here is only what is shown: arguments are checked against the registered schema.

import type { JsonObject, JsonValue } from '../../wire/json.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { ListedTool } from './own-tools.js';

const combinators = { anyOf: 'at least one', oneOf: 'exactly one', allOf: 'every one' } as const;
type Combinator = keyof typeof combinators;
const isCombinator = (keyword: string): keyword is Combinator => Object.hasOwn(combinators, keyword);
/** Registered schemas are at most 16 levels deep; what lies deeper is data, whose order is its own. */
const canonicalDepth = 40;

/** The tool as it is listed: never without a description, nor without `properties`. */
export function fitTool(tool: CatalogueTool, dropsRootCombinators: boolean): ListedTool {
  const own = tool.description?.trim()
    ? tool.description
    : `${tool.name}, a tool of the app group ${tool.group}.`;
  const { properties, ...keywords } = tool.inputSchema;
  const kept: Record<string, JsonValue> = { properties: properties ?? {} };
  const said: string[] = [];
  for (const [keyword, value] of Object.entries(keywords)) {
    if (dropsRootCombinators && isCombinator(keyword)) {
      said.push(`The arguments must match ${combinators[keyword]} of: ${JSON.stringify(canonical(value))}.`);
    } else kept[keyword] = value;
  }
  return {
    name: tool.name,
    description: [own, ...said.sort()].join('\n\n'),
    inputSchema: canonicalObject(kept, canonicalDepth),
  };
}

/** The same value with the keys of every object sorted: apps that build schemas from unordered maps list alike. */
export function canonical(value: JsonValue, depth = canonicalDepth): JsonValue {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map((item) => canonical(item, depth - 1)) : canonicalObject(value, depth);
}

function canonicalObject(value: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, canonical(value[key] ?? null, depth - 1)]),
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
