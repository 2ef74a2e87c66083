// Where the statements of a valid TOML text stand. Pure. Knows strings, brackets and comments, and nothing of values.

import { parse } from 'smol-toml';

export type Path = readonly string[];

export interface Statement {
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
export function lineOf(body: string, one: Statement): { start: number; end: number } {
  const start = body.lastIndexOf('\n', one.start - 1) + 1;
  const next = body.indexOf('\n', one.end);
  return { start, end: next < 0 ? body.length : next + 1 };
}

/** The statements of a valid text. */
export function statementsOf(body: string): readonly Statement[] {
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
