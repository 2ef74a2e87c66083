// Arguments that a tool might take, for a command to copy: what its schema requires, each the simplest of its kind. Pure.
//
// It is a beginning and no promise: a pattern, a nested requirement or an alternative is left to who types.

import { isObject, type JsonObject } from '../wire/json.js';

export function exampleArguments(schema: unknown): JsonObject {
  if (!isObject(schema) || !isObject(schema.properties) || !Array.isArray(schema.required)) return {};
  const { properties, required } = schema;
  return Object.fromEntries(
    required
      .filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name))
      .map((name) => [name, exampleOf(properties[name], name)]),
  ) as JsonObject;
}

function exampleOf(schema: unknown, name: string): unknown {
  if (!isObject(schema)) return name;
  const { const: only, default: usual, enum: choices, examples } = schema;
  for (const given of [only, usual, ...listOf(examples), ...listOf(choices)])
    if (given !== undefined) return given;
  switch (listOf(schema.type)[0] ?? schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return exampleArguments(schema);
    case 'null':
      return null;
    default:
      return name;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
