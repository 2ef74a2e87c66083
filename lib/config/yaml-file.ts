// A YAML file held against a JSON Schema: a value of the schema's type, or errors that name the line. Pure.

import { Ajv, type ErrorObject } from 'ajv';
import { type Document, isNode, LineCounter, type ParsedNode, parseDocument } from 'yaml';

/** One thing that is wrong, or odd, with a file. */
export interface FileFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A file that cannot be used; the message names file, line and mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The message's lines one by one; none where a line cannot be told. */
  readonly faults: readonly FileFault[];

  constructor(
    message: string,
    { faults = [], ...options }: ErrorOptions & { faults?: readonly FileFault[] } = {},
  ) {
    super(message, options);
    this.faults = faults;
  }

  /** The error of a file with these faults, each of them once. */
  static of(file: string, faults: readonly FileFault[], options: ErrorOptions = {}): ConfigError {
    const lines = new Map(faults.map((fault) => [`${file} line ${fault.line}: ${fault.message}`, fault]));
    return new ConfigError([...lines.keys()].join('\n'), { ...options, faults: [...lines.values()] });
  }
}

/** A file's value, and where its parts stand. */
export interface YamlFile<T> {
  readonly value: T;
  /** The line, from 1, of the value at a path; of the deepest part of the path that there is. */
  lineOf(...path: readonly (string | number)[]): number;
}

/**
 * Reads the text of a YAML file.
 *
 * @param text the file's content; an empty text is the value of `schema` that `{}` is.
 * @param file how errors name the file.
 * @throws {ConfigError} with a line for each thing that is wrong.
 */
export function parseYamlFile<T>(text: string, file: string, schema: object): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const { line } = lines.linePos(broken.pos[0]);
    throw ConfigError.of(file, [{ line, message: broken.message }], { cause: broken });
  }
  const value: unknown = document.toJS() ?? {};
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true }).compile<T>(schema);
  if (!validate(value)) {
    // An error about a key's name comes with one about its pattern, which says the same and names no key.
    const faults = (validate.errors ?? []).filter((error) => error.propertyName === undefined);
    throw ConfigError.of(
      file,
      faults.map((error) => problemOf(error, document, lines)),
    );
  }
  return { value, lineOf: (...path) => lineOf(document, lines, path, false) };
}

function problemOf(error: ErrorObject, document: Parsed, lines: LineCounter): FileFault {
  const unknown = badKey(error);
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const place = unknown === undefined ? path : [...path, unknown];
  const what =
    unknown === undefined
      ? `${path.join('.') || 'the file'} ${explain(error)}`
      : error.keyword === 'propertyNames'
        ? `\`${place.join('.')}\` is no name that can be used here; it must match ${nameForm(error)}`
        : `unknown key \`${place.join('.')}\``;
  return { line: lineOf(document, lines, place, unknown !== undefined), message: what };
}

type Parsed = Document.Parsed<ParsedNode>;

/** The line of the deepest node of a path that is there; for an unknown key, of the key itself. */
function lineOf(
  document: Parsed,
  lines: LineCounter,
  path: readonly (string | number)[],
  wantKey: boolean,
): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const parent = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (wantKey && depth === path.length - 1) {
      const key = keyNode(parent, String(path[depth]));
      if (key !== undefined) return lines.linePos(key).line;
    }
    if ((!wantKey || depth < path.length) && isNode(parent) && parent.range)
      return lines.linePos(parent.range[0]).line;
  }
  return 1;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The key that an error is about, where it is about the key and not about its value. */
function badKey(error: ErrorObject): string | undefined {
  const name: unknown =
    error.keyword === 'additionalProperties'
      ? error.params.additionalProperty
      : error.keyword === 'propertyNames'
        ? error.params.propertyName
        : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The pattern of a `propertyNames`. */
function nameForm(error: ErrorObject): string {
  const form: unknown = error.schema;
  return typeof form === 'object' && form !== null && 'pattern' in form ? String(form.pattern) : 'its form';
}

function explain(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.params.allowedValues)}`;
  if (error.keyword === 'type' && Array.isArray(error.schema)) return `must be ${error.schema.join(' or ')}`;
  return error.message ?? 'is not valid';
}

function keyNode(map: unknown, key: string): number | undefined {
  if (typeof map !== 'object' || map === null || !('items' in map) || !Array.isArray(map.items))
    return undefined;
  for (const pair of map.items) {
    const node: unknown = pair?.key;
    if (isNode(node) && 'value' in node && String(node.value) === key && node.range) return node.range[0];
  }
  return undefined;
}
