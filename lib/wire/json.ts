// JSON as TypeScript sees it, and JSON Schema as this project writes it.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema (2020-12 as ajv reads it; OpenAPI 3.1 takes the same). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value that came out of JSON.parse is an object: it then holds JSON and nothing else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}
