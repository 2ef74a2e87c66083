// Edits of one table of a TOML file that change nothing else. Pure.
//
// smol-toml says whether a text is valid and what it holds; toml-statements.ts, where its statements stand. What an
// edit made is proven in document.ts.

import { parse, stringify, TomlError } from 'smol-toml';
import { placeIn, SetupError } from '../setup-error.js';
import { lineOf, type Path, statementsOf } from './toml-statements.js';

type Table = Readonly<Record<string, unknown>>;

/**
 * What a text holds.
 *
 * @throws {SetupError} naming the line and column.
 */
export function readToml(text: string, file: string): Table {
  try {
    return parse(bodyOf(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.replace(/^Invalid TOML document: /, '').split('\n')[0];
    const place = `line ${error.line}, column ${error.column}`;
    throw new SetupError(`${file} ${place}: ${what}; mend the file, then try again`, { cause: error });
  }
}

/**
 * A text in which a table has certain values; its other keys, and everything outside it, stay as they are.
 *
 * @param path the table; it may be missing.
 * @param values its keys; undefined takes one out.
 * @throws {SetupError} where the table is written in a form that is not edited.
 */
export function setToml(text: string, path: Path, values: Table, file: string): string {
  const body = bodyOf(text);
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const statements = statementsOf(body);
  const header = statements.find((one) => one.kind === 'header' && isPath(one.path, path));
  if (header === undefined) {
    const inTheWay = statements.find((one) => startsWith(one.path, path));
    if (inTheWay !== undefined) {
      const place = `${file} ${placeIn(body, inTheWay.start)}`;
      throw new SetupError(`${place}: write this entry as a table [${nameOf(path)}], then try again`);
    }
    const gap = body === '' ? '' : body.endsWith('\n') ? eol : eol + eol;
    return prefixed(text, body + gap + [`[${nameOf(path)}]`, ...linesOf(values)].join(eol) + eol);
  }
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const own = statements.filter((one) => startsWith(one.path, [...path, key]));
    const [first] = own;
    if (first === undefined) {
      if (value !== undefined) added.push(...linesOf({ [key]: value }));
    } else if (
      value === undefined ||
      own.length > 1 ||
      first.kind === 'header' ||
      !isPath(first.path, [...path, key])
    ) {
      edits.push(...own.map((one) => ({ ...lineOf(body, one), text: '' })));
      if (value !== undefined) added.push(...linesOf({ [key]: value }));
    } else {
      edits.push({ start: first.valueStart, end: first.end, text: literal(value) });
    }
  }
  if (added.length > 0) {
    const pairs = statements.filter((one) => one.kind === 'pair' && one.table === header);
    const at = lineOf(body, pairs.at(-1) ?? header).end;
    const before = body.slice(0, at).endsWith('\n') ? '' : eol;
    edits.push({ start: at, end: at, text: before + added.join(eol) + eol });
  }
  return prefixed(text, applied(body, edits));
}

/** A table's name as TOML writes it: what is no bare key stands in quotes. */
function nameOf(path: Path): string {
  return path.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))).join('.');
}

/** A text without a table and what is below it. */
export function removeToml(text: string, path: Path): string {
  const body = bodyOf(text);
  const own = statementsOf(body).filter((one) => startsWith(one.path, path));
  const edits = own.map((one, index) => {
    const line = lineOf(body, one);
    // The blank line in front of the table was its own.
    const gap =
      index === 0 && one.kind === 'header'
        ? (/\r?\n$/.exec(body.slice(0, line.start).replace(/\r?\n$/, ''))?.[0].length ?? 0)
        : 0;
    return { start: line.start - gap, end: line.end, text: '' };
  });
  return prefixed(text, applied(body, edits));
}

const mark = '\ufeff';
const bodyOf = (text: string) => (text.startsWith(mark) ? text.slice(1) : text);
const prefixed = (text: string, body: string) => (text.startsWith(mark) ? mark + body : body);
const startsWith = (path: Path, start: Path) => start.every((key, at) => path[at] === key);
const isPath = (path: Path, other: Path) => path.length === other.length && startsWith(path, other);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function applied(body: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), body);
}

function linesOf(values: Table): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${keyText(key)} = ${literal(value)}`],
  );
}

const keyText = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** A value on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([key, one]) => `${keyText(key)} = ${literal(one)}`);
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  }
  return stringify({ v: value }).replace(/^v = /, '').trimEnd();
}
