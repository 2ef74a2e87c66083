// One entry in the text of a configuration file, whatever its format. Pure. What an edit makes is read again and
// held against what it should be; where that fails, nothing is written.

import { isDeepStrictEqual } from 'node:util';
import { isValues, type Values } from '../entry-shape.js';
import type { HarnessSetup, Place } from '../harnesses.js';
import { SetupError } from '../setup-error.js';
import { removeJson, setJson } from './json-edit.js';
import { commentsOf, readJson, valueAt } from './json-text.js';
import { readToml, removeToml, setToml } from './toml-text.js';

/** A file's text, read as one harness reads it. */
export interface Document {
  readonly path: string;
  /** Null where there is no file. */
  readonly text: string | null;
  readonly format: Place['format'];
  readonly servers: string;
  readonly value: Values;
}

/** @throws {SetupError} where the harness could not read it, with the line and column. */
export function documentOf(
  path: string,
  text: string | null,
  { servers }: HarnessSetup,
  { format }: Place,
  name: string,
): Document {
  const value =
    format === 'toml' ? readToml(text ?? '', path) : readJson(text ?? '', path, format, [servers, name]);
  return { path, text, format, servers, value };
}

/** The entry of a server, or undefined. */
export function entryIn(document: Document, name: string): Values | undefined {
  const found = valueAt(document.value, [document.servers, name]);
  return isValues(found) ? found : undefined;
}

/**
 * The text with an entry in it. Keys of an entry that is there already and are not named stay.
 *
 * @param values its keys; undefined takes one out.
 */
export function withEntry(document: Document, name: string, values: Values): string {
  const { path, format, servers } = document;
  const at = [servers, name];
  const before = document.text ?? '';
  const old = entryIn(document, name);
  const wanted = present({ ...old, ...values });
  let after = before;
  if (format === 'toml') after = setToml(before, at, changed(old ?? {}, values), path);
  else if (old === undefined) after = setJson(before, at, wanted);
  else {
    for (const [key, value] of Object.entries(values)) {
      after = value === undefined ? removeJson(after, [...at, key]) : setJson(after, [...at, key], value);
    }
  }
  prove(document, after, replaced(document.value, at, wanted));
  return after;
}

/**
 * The text without an entry.
 *
 * @param old what stood there before Leo's, put back.
 * @param madeParent whether the object around it was made with the entry, and goes when it is empty.
 */
export function withoutEntry(
  document: Document,
  name: string,
  old: Values | undefined,
  madeParent: boolean,
): string {
  const { path, format, servers } = document;
  const at = [servers, name];
  let after = document.text ?? '';
  if (old !== undefined) {
    if (format !== 'toml') after = setJson(after, at, old);
    else {
      const own = Object.keys(entryIn(document, name) ?? {}).map((key) => [key, undefined] as const);
      after = setToml(after, at, { ...Object.fromEntries(own), ...old }, path);
    }
    prove(document, after, replaced(document.value, at, old));
    return after;
  }
  after = format === 'toml' ? removeToml(after, at) : removeJson(after, at);
  const others = Object.keys(
    servers in document.value && isValues(document.value[servers]) ? document.value[servers] : {},
  );
  const parentToo = others.every((one) => one === name) && (format === 'toml' || madeParent);
  if (parentToo && format !== 'toml') after = removeJson(after, [servers]);
  prove(document, after, replaced(document.value, parentToo ? [servers] : at, undefined));
  return after;
}

/** @throws {SetupError} where an edit did anything but what it should. */
function prove(document: Document, after: string, wanted: Values): void {
  const { path, format, text } = document;
  let value: unknown;
  if (format === 'toml') value = readToml(after, path);
  else value = readJson(after, path, format, []);
  const kept =
    format === 'toml' || isDeepStrictEqual(sorted(commentsOf(text ?? '')), sorted(commentsOf(after)));
  if (kept && isDeepStrictEqual(comparable(value), comparable(wanted))) return;
  throw new SetupError(
    `${path} is written in a way that cannot be edited safely; nothing was changed; put the entry in by hand, \`leo harness setup print NAME\` shows it`,
  );
}

const sorted = (texts: readonly string[]) => [...texts].sort();

/** Values as plain objects: a TOML library's have no prototype, and dates of their own. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Date) return `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one)]));
}

function replaced(value: Values, path: readonly string[], wanted: Values | undefined): Values {
  const [key = '', ...rest] = path;
  const below = value[key];
  const inner = rest.length === 0 ? wanted : replaced(isValues(below) ? below : {}, rest, wanted);
  return present({ ...value, [key]: inner });
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The keys whose values are not what they should be. */
function changed(old: Values, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => !isDeepStrictEqual(comparable(old[key]), comparable(value)),
    ),
  );
}
