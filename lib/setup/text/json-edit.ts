// Edits of JSON with comments that change what they are to change and not one byte else. Pure.
//
// jsonc-parser finds the places; the inserting and taking out is done here, since its own moves a comment behind
// the last property to the new one. The texts are such as `readJson` takes; what an edit made is proven in document.ts.

import { isDeepStrictEqual } from 'node:util';
import { type Node, parseTree } from 'jsonc-parser';
import {
  bodyOf,
  isRecord,
  keyOf,
  kinds,
  mark,
  type Path,
  plainValue,
  propertiesOf,
  tokensOf,
} from './json-text.js';

/** A text with a value at a path; what is missing on the way is made. Unchanged where the value is there already. */
export function setJson(text: string, path: Path, value: unknown): string {
  const body = bodyOf(text);
  if (body.trim() === '') {
    return `${text.startsWith(mark) ? mark : ''}${JSON.stringify(nest(path, value), null, 2)}\n`;
  }
  const root = parseTree(body);
  if (root === undefined) return text;
  const layout = layoutOf(body, root);
  let node = root;
  for (const [depth, key] of path.entries()) {
    const property = propertiesOf(node).find((one) => keyOf(one) === key);
    const found = property?.children?.[1];
    if (property === undefined || found === undefined) {
      return prefixed(text, inserted(body, node, key, nest(path.slice(depth + 1), value), layout));
    }
    node = found;
  }
  if (isDeepStrictEqual(plainValue(node), value)) return text;
  const written = rendered(value, layout, indentOf(body, node.offset), isSpread(body, node, layout));
  return prefixed(text, body.slice(0, node.offset) + written + body.slice(node.offset + node.length));
}

/** A text without the property at a path; unchanged where there is none. */
export function removeJson(text: string, path: Path): string {
  const body = bodyOf(text);
  let node = parseTree(body);
  for (const [depth, key] of path.entries()) {
    const properties = node === undefined ? [] : propertiesOf(node);
    const at = properties.findIndex((one) => keyOf(one) === key);
    const property = properties[at];
    if (property === undefined) return text;
    if (depth === path.length - 1) return prefixed(text, without(body, properties, at));
    node = property.children?.[1];
  }
  return text;
}

const prefixed = (text: string, body: string) => (text.startsWith(mark) ? mark + body : body);
const endOf = (node: Node) => node.offset + node.length;
const nest = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

interface Layout {
  readonly eol: string;
  readonly unit: string;
  /** Whether anything of the file stands on a line of its own. */
  readonly lines: boolean;
  readonly colon: string;
  readonly comma: string;
}

function layoutOf(body: string, root: Node): Layout {
  const first = root.children?.[0];
  const indent = first === undefined ? undefined : ownLineIndent(body, first.offset);
  const tight = first !== undefined && !/":\s/.test(body);
  return {
    eol: body.includes('\r\n') ? '\r\n' : '\n',
    unit: indent === undefined || indent === '' ? '  ' : indent,
    lines: body.trim().includes('\n') || first === undefined,
    colon: tight ? ':' : ': ',
    comma: tight ? ',' : ', ',
  };
}

/** What stands before an offset on its line, if that is white space and a line begins there. */
function ownLineIndent(body: string, offset: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(body.slice(0, offset))?.[1];
}

/** The white space with which the line of an offset begins. */
function indentOf(body: string, offset: number): string {
  return /^[ \t]*/.exec(body.slice(body.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

/** Whether a value's parts stand on lines of their own. */
function isSpread(body: string, node: Node, layout: Layout): boolean {
  if (node.type !== 'object' && node.type !== 'array') return layout.lines;
  return node.children?.length ? body.slice(node.offset, endOf(node)).includes('\n') : layout.lines;
}

function rendered(value: unknown, layout: Layout, indent: string, spread: boolean): string {
  if (spread) return JSON.stringify(value, null, layout.unit).replaceAll('\n', layout.eol + indent);
  return inOneLine(value, layout);
}

function inOneLine(value: unknown, layout: Layout): string {
  if (Array.isArray(value)) return `[${value.map((one) => inOneLine(one, layout)).join(layout.comma)}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}${layout.colon}${inOneLine(one, layout)}`,
  );
  return `{${parts.join(layout.comma)}}`;
}

function inserted(body: string, object: Node, key: string, value: unknown, layout: Layout): string {
  const close = endOf(object) - 1;
  const last = object.children?.at(-1);
  const spread = isSpread(body, object, layout);
  const indent =
    (last === undefined ? undefined : ownLineIndent(body, last.offset)) ??
    indentOf(body, object.offset) + layout.unit;
  const property = `${JSON.stringify(key)}${layout.colon}${rendered(value, layout, indent, spread)}`;
  const outer = layout.eol + indentOf(body, object.offset);
  if (last === undefined) {
    const inner = body.slice(object.offset + 1, close);
    if (!spread) return splice(body, close, close, property);
    const kept = inner.trimEnd();
    const rest = inner.slice(kept.length);
    const tail = rest.includes('\n') ? rest : outer;
    return splice(body, object.offset + 1 + kept.length, close, `${layout.eol}${indent}${property}${tail}`);
  }
  const { comma, at } = afterProperty(body, endOf(last), close);
  const trailing = comma === undefined ? '' : ',';
  const placed = spread
    ? `${layout.eol}${indent}${property}${trailing}`
    : `${layout.comma.slice(1)}${property}${trailing}`;
  // Where the closing bracket shares the last property's line, it gets one of its own.
  const end = spread && !body.slice(at, close).includes('\n') ? outer : '';
  const tail = body.slice(at, close).trim() === '' && end !== '' ? close : at;
  const changed = splice(body, at, tail, placed + end);
  if (comma !== undefined) return changed;
  return splice(changed, endOf(last), endOf(last), ',');
}

/** The comma behind a property, and where what belongs to its line ends: a comment there stays its own. */
function afterProperty(body: string, end: number, close: number): { comma: number | undefined; at: number } {
  let comma: number | undefined;
  let at = end;
  for (const token of tokensOf(body, end, close)) {
    if (token.kind === kinds.lineBreak) break;
    if (token.kind === kinds.comma) comma = token.offset;
    if (token.kind !== kinds.trivia) at = token.offset + token.text.length;
  }
  // A comma may also stand on a later line.
  comma ??= tokensOf(body, end, close).find(({ kind }) => kind === kinds.comma)?.offset;
  return { comma, at: comma === undefined ? at : Math.max(at, comma + 1) };
}

function without(body: string, properties: readonly Node[], at: number): string {
  const property = properties[at];
  const before = properties[at - 1];
  if (property === undefined) return body;
  const next = properties[at + 1];
  const limit = next?.offset ?? (property.parent === undefined ? body.length : endOf(property.parent) - 1);
  const comma = commaIn(body, endOf(property), limit);
  const end = comma === undefined ? endOf(property) : comma + 1;
  const start = lineStart(body, property.offset);
  const changed = splice(
    body,
    start,
    end + (start === property.offset && comma !== undefined ? spaces(body, end) : 0),
    '',
  );
  // The last one without a comma of its own: the comma before it goes too.
  const dangling =
    comma === undefined && before !== undefined ? commaIn(body, endOf(before), start) : undefined;
  return dangling === undefined
    ? changed
    : splice(changed, dangling, dangling + 1 + spacesBetween(body, dangling, start), '');
}

/** Where a property begins with the line break and indent before it, if its line is its own. */
function lineStart(body: string, offset: number): number {
  const found = /\r?\n[ \t]*$/.exec(body.slice(0, offset));
  return found?.index ?? offset;
}

const spaces = (body: string, at: number) => /^[ \t]*/.exec(body.slice(at))?.[0].length ?? 0;
/** The blanks between a comma and what stood right behind them. */
function spacesBetween(body: string, comma: number, start: number): number {
  const blanks = spaces(body, comma + 1);
  return comma + 1 + blanks === start ? blanks : 0;
}

function commaIn(body: string, from: number, to: number): number | undefined {
  return tokensOf(body, from, to).find(({ kind }) => kind === kinds.comma)?.offset;
}

function splice(body: string, from: number, to: number, text: string): string {
  return body.slice(0, from) + text + body.slice(to);
}
