// An app's tool as a harness can take it (design 8), from what was measured. Pure.
//
// - What is changed here is only what is shown: arguments are checked against the registered schema.
// - A tool has a description and `properties`, whatever its app gave.
// - What a model must know of the arguments and the schema cannot say stands in the first 1,800 characters of
//   the description: behind the app's own words where both fit there, in front of them where not.
// - What is cut is marked, so that a model does not take it for the whole.

import type { JsonObject, JsonValue } from '../../wire/json.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { Treatment } from '../harness/caps.js';
import type { ListedTool } from './own-tools.js';

const combinators = { anyOf: 'at least one', oneOf: 'exactly one', allOf: 'every one' } as const;
type Combinator = keyof typeof combinators;
const isCombinator = (keyword: string): keyword is Combinator => Object.hasOwn(combinators, keyword);
/** Registered schemas are at most 16 levels deep; what lies deeper is data, whose order is its own. */
const canonicalDepth = 40;
/** How much of a description every harness shows. */
const shownEverywhere = 1800;
/** How much of that is left to the app's own words, however much there is to say of the arguments. */
const ownWords = 600;
const cutMark = '… [cut]';

/** What of a harness decides how a tool is listed for it. */
export type Fit = Pick<Treatment, 'dropsRootCombinators' | 'descriptionLimit'>;

/** The tool as it is listed. */
export function fitTool(tool: CatalogueTool, { dropsRootCombinators, descriptionLimit }: Fit): ListedTool {
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
  const description = withArguments(own, said.sort().join('\n\n'));
  return {
    name: tool.name,
    description: descriptionLimit === null ? description : cut(description, descriptionLimit),
    inputSchema: canonicalObject(kept, canonicalDepth),
  };
}

function withArguments(own: string, said: string): string {
  if (said === '') return own;
  const inOrder = `${own}\n\n${said}`;
  return inOrder.length <= shownEverywhere ? inOrder : `${cut(said, shownEverywhere - ownWords)}\n\n${own}`;
}

/** The text in at most so many characters; a cut falls between words where it can, and never in one character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - cutMark.length - 1);
  const space = head.lastIndexOf(' ');
  const whole = space > head.length - 100 ? head.slice(0, space) : head;
  return `${whole.replace(/[\ud800-\udbff]$/, '')} ${cutMark}`;
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
