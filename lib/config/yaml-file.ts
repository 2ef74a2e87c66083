// A YAML file held against a JSON Schema: a value of the schema's type, or errors that name the line. Pure.

import { Ajv, type ErrorObject } from 'ajv';
import { type Document, isNode, LineCounter, type ParsedNode, parseDocument } from 'yaml';

/** A file that cannot be used; the message names file, line and mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
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
    throw new ConfigError(`${file} line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`, {
      cause: broken,
    });
  }
  const value: unknown = document.toJS() ?? {};
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<T>(schema);
  if (!validate(value)) {
    const problems = (validate.errors ?? [])
      // What is wrong with a name is said by the `propertyNames` that follows.
      .filter((error) => error.propertyName === undefined)
      .map((error) => problemOf(error, document, lines, file));
    throw new ConfigError([...new Set(problems)].join('\n'));
  }
  return { value, lineOf: (...path) => lineOf(document, lines, path, false) };
}

function problemOf(error: ErrorObject, document: Parsed, lines: LineCounter, file: string): string {
  const unknown = paramOf(error, 'additionalProperties', 'additionalProperty');
  const misnamed = paramOf(error, 'propertyNames', 'propertyName');
  const key = unknown ?? misnamed;
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const place = key === undefined ? path : [...path, key];
  const what =
    unknown !== undefined
      ? `unknown key \`${place.join('.')}\``
      : misnamed !== undefined
        ? `\`${place.join('.')}\` is not a name that can stand here`
        : `${path.join('.') || 'the file'} ${explain(error)}`;
  return `${file} line ${lineOf(document, lines, place, key !== undefined)}: ${what}`;
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

function paramOf(error: ErrorObject, keyword: string, param: string): string | undefined {
  const name: unknown = error.keyword === keyword ? error.params[param] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function explain(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.params.allowedValues)}`;
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
