// Edits of one table of a TOML file that change nothing else. Pure.
//
// smol-toml says whether a text is valid and what it holds; where the statements stand is found here, by a scan that
// knows strings, brackets and comments. Each edit is proven with smol-toml afterwards: the values are those of before
// with the one difference.

import { parse, stringify, TomlError } from 'smol-toml';
import { placeIn, SetupError } from './setup-error.js';

type Path = readonly string[];
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
      throw new SetupError(`${place}: write this entry as a table [${path.join('.')}], then try again`);
    }
    const gap = body === '' ? '' : body.endsWith('\n') ? eol : eol + eol;
    return prefixed(text, body + gap + [`[${path.join('.')}]`, ...linesOf(values)].join(eol) + eol);
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

interface Statement {
  readonly kind: 'header' | 'pair';
  /** From the root: a pair's with its table's. */
  readonly path: Path;
  readonly start: number;
  /** Where the value ends, before a comment. */
  readonly end: number;
  readonly valueStart: number;
  readonly table: Statement | undefined;
}

/** A statement's lines as a whole, with the comment behind it and the line break. */
function lineOf(body: string, one: Statement): { start: number; end: number } {
  const start = body.lastIndexOf('\n', one.start - 1) + 1;
  const next = body.indexOf('\n', one.end);
  return { start, end: next < 0 ? body.length : next + 1 };
}

/** The statements of a valid text. */
function statementsOf(body: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: Statement | undefined;
  let at = 0;
  while (at < body.length) {
    const character = body[at] ?? '';
    if (/\s/.test(character)) at++;
    else if (character === '#') at = endOfLine(body, at);
    else {
      const start = at;
      const isHeader = character === '[';
      const keyStart = isHeader ? start + (body[start + 1] === '[' ? 2 : 1) : start;
      const key = keyAt(body, keyStart);
      if (isHeader) {
        const end = body.indexOf(']', key.end) + keyStart - start;
        table = { kind: 'header', path: key.path, start, end, valueStart: end, table: undefined };
        statements.push(table);
        at = end;
      } else {
        const equals = body.indexOf('=', key.end);
        const valueStart = equals + 1 + (/^[ \t]*/.exec(body.slice(equals + 1))?.[0].length ?? 0);
        const end = valueEnd(body, valueStart);
        const path = [...(table?.path ?? []), ...key.path];
        statements.push({ kind: 'pair', path, start, end, valueStart, table });
        at = end;
      }
    }
  }
  return statements;
}

/** A dotted key. */
function keyAt(body: string, from: number): { path: Path; end: number } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    at += /^[ \t]*/.exec(body.slice(at))?.[0].length ?? 0;
    const quote = body[at];
    if (quote === '"' || quote === "'") {
      const end = stringEnd(body, at);
      path.push(String(parse(`v = ${body.slice(at, end)}`).v));
      at = end;
    } else {
      const bare = /^[\w-]+/.exec(body.slice(at))?.[0] ?? '';
      path.push(bare);
      at += bare.length;
    }
    at += /^[ \t]*/.exec(body.slice(at))?.[0].length ?? 0;
    if (body[at] !== '.') return { path, end: at };
    at++;
  }
}

/** Where a value ends: at the end of its line, before a comment, outside of strings and brackets. */
function valueEnd(body: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < body.length) {
    const character = body[at] ?? '';
    if (character === '"' || character === "'") {
      at = stringEnd(body, at);
      continue;
    }
    if (character === '#' || character === '\n') {
      if (depth === 0) break;
      if (character === '#') at = endOfLine(body, at) - 1;
    } else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    at++;
  }
  return from + body.slice(from, at).trimEnd().length;
}

function stringEnd(body: string, from: number): number {
  const quote = body[from] ?? '';
  const long = body.startsWith(quote.repeat(3), from);
  const fence = long ? quote.repeat(3) : quote;
  let at = from + fence.length;
  while (at < body.length && !body.startsWith(fence, at)) at += quote === '"' && body[at] === '\\' ? 2 : 1;
  at += fence.length;
  // Up to two quotes may stand right before the fence of a long string.
  while (long && body[at] === quote) at++;
  return at;
}

function endOfLine(body: string, at: number): number {
  const end = body.indexOf('\n', at);
  return end < 0 ? body.length : end;
}
