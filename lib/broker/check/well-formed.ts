// Lone surrogates: half of a character, which JSON can carry and a model's API refuses, and with it the whole
// conversation.

import { isObject } from '../../wire/json.js';

/** The same JSON value with every lone surrogate replaced by U+FFFD. */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => wellFormed(item));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
    );
  return value;
}
