// Reading what a harness sent, of which nothing is certain: a value of another kind reads as absent.

import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';

export function objectAt(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listAt(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textAt(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a content that is a string or a list of parts with a `text`. */
export function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return listAt(content)
    .map((part) => textAt(part.text))
    .filter((text) => text !== '')
    .join('\n');
}

/** How many parts of a content are of one of these types. */
export function countOf(content: JsonValue | undefined, ...types: readonly string[]): number {
  return listAt(content).filter((part) => types.includes(textAt(part.type))).length;
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
