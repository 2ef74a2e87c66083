// harnesscaps.json, format 1: what each harness was measured to do with a stdio MCP server. Its type, its
// schema, its validation, and how LEO_HOME/harnesscaps.json lies over the built-in one. Pure.
//
// - The built-in table says everything of each of its harnesses. An overlay says what differs: an entry with
//   the `name` of a built-in one replaces its keys one by one; one with a new name stands before the built-in
//   ones, and what it does not say is what is assumed of an unknown harness.
// - A newer format is never read as if it were this one.
//
// The gateway loads this only where there is an overlay: ajv would cost every agent memory.

import { Ajv, type ErrorObject } from 'ajv';
import { unknownHarness } from './unknown-harness.js';

/** The format that this version of Leo reads and writes. */
export const harnessCapsFormat = 1;

/** How a harness names a tool to its model. */
export interface HarnessNaming {
  /** The name, with `{server}` and `{tool}` in it; codex gives two parts, which are written one after the other. */
  readonly form: string;
  /** What it puts in place of single characters of a server's or a tool's name. */
  readonly replaced: Readonly<Record<string, string>>;
  /** The longest name that it does not cut, in characters; null where none was found. */
  readonly limit: number | null;
}

/** What decides how a harness is served. */
export interface ServingCaps {
  /** It lists tools again after `list_changed`, and a running conversation sees the new list. */
  readonly relists: boolean;
  /** It drops a tool whose input schema has `anyOf`, `oneOf` or `allOf` at its root. */
  readonly drops_root_combinators: boolean;
  /** It drops a tool without a description. */
  readonly drops_empty_description: boolean;
  /** After how many characters it cuts a tool's description; null for never. */
  readonly description_limit: number | null;
  /** After how many seconds it gives a call up by default; null for never. */
  readonly call_limit_s: number | null;
  /** Whether progress restarts that clock. */
  readonly progress_extends: boolean;
  /** Whether its calls carry a progress token. */
  readonly sends_progress_token: boolean;
  /** It sends a cancel after each of its calls, answered or not. */
  readonly cancels_after_answers: boolean;
  /** An image in a result arrives at the model as an image. */
  readonly passes_images: boolean;
  /** Its own environment arrives at the server without being configured. */
  readonly passes_environment: boolean;
  /** The server's instructions arrive at the model by default. */
  readonly shows_instructions: boolean;
  readonly naming: HarnessNaming;
}

/** One measured figure, for the table in docs/harnesses.md; nothing is decided by it. */
export interface HarnessFigure {
  readonly value: string;
  /** The version of the harness, where it is not the entry's. */
  readonly version?: string;
  /** The day, where it is not the entry's. */
  readonly measured?: string;
  /** The messages that show it. */
  readonly evidence?: string;
}

/** One harness. */
export interface HarnessEntry extends ServingCaps {
  /** What `leo harness` calls it. */
  readonly name: string;
  /** Names in `clientInfo`; a trailing `*` stands for any ending. */
  readonly names: readonly string[];
  /** The version that was measured. */
  readonly version: string;
  /** The day of it, YYYY-MM-DD. */
  readonly measured: string;
  /** The rest of the table, by section and cell. */
  readonly figures?: Readonly<Record<string, Readonly<Record<string, HarnessFigure>>>>;
}

export interface HarnessCapsFile {
  readonly format: typeof harnessCapsFormat;
  readonly about?: string;
  readonly harnesses: readonly HarnessEntry[];
}

/** An entry of an overlay: a name, and what is to be said of it. */
export type HarnessOverlayEntry = Pick<HarnessEntry, 'name'> & Partial<HarnessEntry>;
export interface HarnessOverlay {
  readonly format: typeof harnessCapsFormat;
  readonly harnesses: readonly HarnessOverlayEntry[];
}

/** A table that cannot be used; the message names file, place and mend. */
export class HarnessCapsError extends Error {
  override readonly name = 'HarnessCapsError';
}

const flag = { type: 'boolean' };
const text = { type: 'string', minLength: 1 };
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const servingProperties = {
  relists: flag,
  drops_root_combinators: flag,
  drops_empty_description: flag,
  description_limit: { type: ['integer', 'null'], minimum: 256 },
  // A timer of Node's takes at most 2^31 ms.
  call_limit_s: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 2_000_000 },
  progress_extends: flag,
  sends_progress_token: flag,
  cancels_after_answers: flag,
  passes_images: flag,
  passes_environment: flag,
  shows_instructions: flag,
  naming: {
    type: 'object',
    properties: {
      form: { type: 'string', pattern: '\\{server\\}.*\\{tool\\}' },
      replaced: {
        type: 'object',
        propertyNames: { minLength: 1, maxLength: 1 },
        additionalProperties: { type: 'string' },
      },
      limit: { type: ['integer', 'null'], minimum: 1 },
    },
    required: ['form', 'replaced', 'limit'],
    additionalProperties: false,
  },
};
const entryProperties = {
  name: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' },
  names: { type: 'array', items: text, minItems: 1, uniqueItems: true },
  version: text,
  measured: day,
  ...servingProperties,
  figures: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { value: { type: 'string' }, version: text, measured: day, evidence: { type: 'string' } },
        required: ['value'],
        additionalProperties: false,
      },
    },
  },
};

function fileSchema(required: readonly string[]): object {
  return {
    type: 'object',
    properties: {
      format: { const: harnessCapsFormat },
      about: { type: 'string' },
      harnesses: {
        type: 'array',
        items: { type: 'object', properties: entryProperties, required, additionalProperties: false },
      },
    },
    required: ['format', 'harnesses'],
    additionalProperties: false,
  };
}

/** The JSON Schema of harnesscaps.json. */
export const harnessCapsSchema = fileSchema(Object.keys(entryProperties).filter((key) => key !== 'figures'));
/** The JSON Schema of LEO_HOME/harnesscaps.json. */
export const harnessOverlaySchema = fileSchema(['name']);

/**
 * Reads the text of a whole table, such as the built-in one.
 *
 * @param file how errors name the file.
 * @throws {HarnessCapsError}
 */
export function parseHarnessCaps(text: string, file: string): HarnessCapsFile {
  return parse<HarnessCapsFile>(text, file, harnessCapsSchema);
}

/**
 * Reads the text of an overlay.
 *
 * @param file how errors name the file.
 * @throws {HarnessCapsError}
 */
export function parseHarnessOverlay(text: string, file: string): HarnessOverlay {
  return parse<HarnessOverlay>(text, file, harnessOverlaySchema);
}

/** The entries of a table with an overlay on it; new ones stand first, and so win where both match. */
export function overlayHarnesses<Entry extends { readonly name: string }>(
  base: readonly Entry[],
  overlay: readonly HarnessOverlayEntry[],
): readonly (Entry | (HarnessOverlayEntry & ServingCaps & Pick<HarnessEntry, 'names'>))[] {
  const known = new Set(base.map((entry) => entry.name));
  const over = new Map(overlay.map((entry) => [entry.name, entry]));
  const added = overlay
    .filter((entry) => !known.has(entry.name))
    .map((entry) => ({ names: [entry.name], ...unknownHarness, ...entry }));
  return [...added, ...base.map((entry) => ({ ...entry, ...over.get(entry.name) }))];
}

function parse<T extends HarnessOverlay>(content: string, file: string, schema: object): T {
  if (content.trim() === '') throw new HarnessCapsError(`${file} is empty: remove it`);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new HarnessCapsError(`${file}${lineOf(error, content)} is not JSON: ${messageOf(error)}; mend it`, {
      cause: error,
    });
  }
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (typeof format === 'number' && format > harnessCapsFormat) {
    throw new HarnessCapsError(
      `${file} is of format ${format}, and this Leo reads format ${harnessCapsFormat}: update Leo, or move the file away`,
    );
  }
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<T>(schema);
  if (!validate(value)) {
    const problems = (validate.errors ?? []).map((error) => problemOf(error, value));
    throw new HarnessCapsError(`${file}: ${[...new Set(problems)].slice(0, 8).join('; ')}; mend it`);
  }
  const names = value.harnesses.map((entry) => entry.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new HarnessCapsError(`${file}: at $.harnesses: "${twice}" stands there twice; make it one entry`);
  }
  return value;
}

/** Where the text stops being JSON, as far as the engine says it. */
function lineOf(error: unknown, content: string): string {
  const position = /at position (\d+)/.exec(messageOf(error))?.[1];
  return position === undefined ? '' : ` line ${content.slice(0, Number(position)).split('\n').length}`;
}

function problemOf(error: ErrorObject, value: unknown): string {
  const parts = error.instancePath.split('/').slice(1).map(unescapePointer);
  const last: unknown = error.params.additionalProperty ?? error.params.missingProperty;
  if (typeof last === 'string') parts.push(last);
  const place = `$${parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')}`;
  return `at ${place}${harnessAt(parts, value)}: ${reasonOf(error)}`;
}

/** Which harness an index means: a list of eight is not counted by eye. */
function harnessAt([list, index]: readonly string[], value: unknown): string {
  if (list !== 'harnesses' || index === undefined) return '';
  const entries = typeof value === 'object' && value !== null && list in value ? value[list] : undefined;
  const entry: unknown = Array.isArray(entries) ? entries[Number(index)] : undefined;
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
  return typeof name === 'string' ? ` (${name})` : '';
}

function reasonOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is an unknown key';
    case 'required':
      return 'is missing';
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
