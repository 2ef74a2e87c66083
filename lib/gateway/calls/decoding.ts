// Arguments as agents really send them (design 8): an object or a list that arrived as a JSON string, where the
// schema wants an object or a list, is decoded, once. A string where a string is allowed is left alone. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';

/** The arguments of a call; undefined where they are no object and hold none. */
export function decodeArguments(value: unknown, schema: JsonObject): JsonObject | undefined {
  if (value === undefined || value === null) return {};
  const args = typeof value === 'string' ? parsed(value) : value;
  if (!isJsonObject(args)) return undefined;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  let decoded: Record<string, JsonValue> | undefined;
  for (const [name, property] of Object.entries(properties)) {
    const argument = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof argument !== 'string') continue;
    const structure = parsed(argument);
    if (structure === undefined || !wants(property, structure)) continue;
    decoded ??= { ...args };
    decoded[name] = structure;
  }
  return decoded ?? args;
}

/** The object or list that a text is the JSON of. */
function parsed(text: string): JsonObject | readonly JsonValue[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || isJsonList(value) ? value : undefined;
  } catch {
    return undefined; // A text that only begins like JSON.
  }
}

/** Whether a schema takes a value's type, and takes no string. */
function wants(schema: JsonValue, value: JsonObject | readonly JsonValue[]): boolean {
  if (!isJsonObject(schema)) return false;
  const types = typesOf(schema);
  return types.includes(Array.isArray(value) ? 'array' : 'object') && !types.includes('string');
}

/** The types that a schema names, in itself or in the branches of one `anyOf` or `oneOf`. */
function typesOf(schema: JsonObject): readonly JsonValue[] {
  if (schema.type !== undefined) return isJsonList(schema.type) ? schema.type : [schema.type];
  const branches = [schema.anyOf, schema.oneOf].find(isJsonList) ?? [];
  // A branch without a type takes anything, a string too.
  return branches.flatMap((branch) => (isJsonObject(branch) ? (branch.type ?? 'string') : 'string'));
}

// JSON.parse makes nothing but JSON, which is what this relies on.
function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
