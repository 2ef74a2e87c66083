// The check of a tool's `input_schema` (design 6). It is forwarded to every harness, and one bad keyword makes
// some of them drop every tool of the server, so nothing passes that is not on the list below.
//
// Depth first in document order, with a stack of its own, in time linear in the input; the first fault found
// is the one reported, with its JSON path in front.

import { isObject, type JsonValue } from '../../wire/json.js';
import { isDeeperThan, maxJsonDepth } from '../../wire/json-depth.js';

/** The most levels of schemas, the root being the first. */
export const maxSchemaLevels = 16;
/** The most schemas in one input_schema, the root included. */
export const maxSchemas = 512;

const primitiveTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** What a keyword's value must be, in words, or undefined when it is. */
type ValueRule = (value: unknown) => string | undefined;

const text: ValueRule = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const flag: ValueRule = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const number: ValueRule = (value) => (typeof value === 'number' ? undefined : 'must be a number');
const count: ValueRule = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : 'must be a whole number from 0';
const positive: ValueRule = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'must be a number greater than 0';
const anyJson: ValueRule = (value) =>
  isDeeperThan(value, maxJsonDepth) ? `nests deeper than ${maxJsonDepth} levels` : undefined;
const list: ValueRule = (value) => (Array.isArray(value) ? anyJson(value) : 'must be a list');
const fullList: ValueRule = (value) =>
  Array.isArray(value) && value.length > 0 ? anyJson(value) : 'must be a list that is not empty';
const uniqueTexts: ValueRule = (value) => {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    return 'must be a list of strings';
  return new Set(value).size === value.length ? undefined : 'names a property twice';
};
const pattern: ValueRule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return isRegularExpression(value) ? undefined : `${JSON.stringify(value)} is not a regular expression`;
};
const type: ValueRule = (value) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) return 'must not be empty';
  const unknown = names.find((name) => typeof name !== 'string' || !primitiveTypes.has(name));
  if (unknown !== undefined) return `unknown type ${JSON.stringify(unknown)}`;
  return new Set(names).size === names.length ? undefined : 'names a type twice';
};

/** The keywords whose values hold no schema. */
const plainKeywords: ReadonlyMap<string, ValueRule> = new Map([
  ['type', type],
  ['required', uniqueTexts],
  ['enum', fullList],
  ['const', anyJson],
  ['default', anyJson],
  ['examples', list],
  ['description', text],
  ['title', text],
  ['format', text],
  ['pattern', pattern],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', positive],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['uniqueItems', flag],
  ['deprecated', flag],
  ['readOnly', flag],
  ['writeOnly', flag],
  ['$schema', text],
  ['$comment', text],
]);

interface Place {
  readonly schema: unknown;
  readonly path: string;
  readonly level: number;
}

/**
 * Checks an input_schema.
 *
 * @returns the first fault, `at $.path: what is wrong`, or undefined where there is none (design 6).
 */
export function inputSchemaFault(root: unknown): string | undefined {
  if (!isObject(root)) return 'at $: must be an object';
  if (root.type !== 'object') return `at $.type: must be exactly "object", not ${shown(root.type)}`;
  const stack: Place[] = [{ schema: root, path: '$', level: 1 }];
  let seen = 0;
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (++seen > maxSchemas) return `at ${place.path}: more than ${maxSchemas} schemas`;
    const found = schemaFault(place);
    if (typeof found === 'string') return found;
    // Reversed, so that the first nested schema is the next to be looked at.
    for (let i = found.length - 1; i >= 0; i--) {
      const nested = found[i];
      if (nested !== undefined) stack.push(nested);
    }
  }
  return undefined;
}

/** The fault of one schema, or the schemas nested directly in it. */
function schemaFault({ schema, path, level }: Place): string | readonly Place[] {
  if (!isObject(schema)) return `at ${path}: must be a schema object, not ${shown(schema)}`;
  if (level > maxSchemaLevels) return `at ${path}: nests deeper than ${maxSchemaLevels} levels`;
  const nested: Place[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const at = path + step(keyword);
    const rule = plainKeywords.get(keyword);
    if (rule !== undefined) {
      const fault = rule(value);
      if (fault !== undefined) return `at ${at}: ${fault}`;
    } else if (keyword === 'properties') {
      if (!isObject(value)) return `at ${at}: must be an object`;
      for (const [name, property] of Object.entries(value)) {
        if (name === '__proto__') return `at ${at}${step(name)}: no property may have this name`;
        nested.push({ schema: property, path: at + step(name), level: level + 1 });
      }
    } else if (keyword === 'items') {
      nested.push({ schema: value, path: at, level: level + 1 });
    } else if (keyword === 'additionalProperties') {
      if (typeof value !== 'boolean') nested.push({ schema: value, path: at, level: level + 1 });
    } else if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') {
      if (!Array.isArray(value) || value.length === 0)
        return `at ${at}: must be a list of schemas that is not empty`;
      for (const [i, branch] of value.entries())
        nested.push({ schema: branch, path: `${at}[${i}]`, level: level + 1 });
    } else {
      return `at ${at}: the keyword ${JSON.stringify(keyword)} is not allowed`;
    }
  }
  return nested;
}

/** One step of a JSON path. */
export function step(key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const json = JSON.stringify(isObject(value) || Array.isArray(value) ? kindOf(value) : (value as JsonValue));
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

function kindOf(value: object): string {
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Harnesses differ in the flag they compile with; a pattern is good if either way takes it. */
function isRegularExpression(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      new RegExp(source, flags);
      return true;
    } catch {
      return false;
    }
  });
}
