// JSON as harnesses read it: each takes more or less than the standard. Pure.

import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { placeIn, SetupError } from '../setup-error.js';

/** What a harness takes beyond plain JSON. */
export interface JsonDialect {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  readonly byteOrderMark: boolean;
}

/** Kinds of tokens; jsonc-parser gives them names for a type checker only. */
export const kinds = {
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  trivia: 15,
  end: 17,
} as const;

export type Path = readonly string[];
export type Json = Readonly<Record<string, unknown>>;

export const mark = '\ufeff';

/**
 * Checks that a harness can read a text, and that an edit of it would mean one thing.
 *
 * @param path the objects down to the entry: none may stand there twice, or be something else.
 * @returns the value; `{}` for an empty text.
 * @throws {SetupError} naming the line and column.
 */
export function readJson(text: string, file: string, dialect: JsonDialect, path: Path): Json {
  if (text.startsWith(mark) && !dialect.byteOrderMark) {
    throw new SetupError(
      `${file} starts with a byte order mark, which the harness cannot read: save it without`,
    );
  }
  const body = bodyOf(text);
  if (body.trim() === '') return {};
  const errors: ParseError[] = [];
  const tree = parseTree(body, errors, {
    allowTrailingComma: dialect.trailingCommas,
    disallowComments: !dialect.comments,
  });
  const first = errors[0];
  if (first !== undefined || tree === undefined) {
    const what = first === undefined ? 'no value' : words(printParseErrorCode(first.error));
    throw new SetupError(
      `${file} ${placeIn(body, first?.offset ?? 0)}: ${what}; mend the file, then try again`,
    );
  }
  let node: Node | undefined = tree;
  for (const key of [...path, undefined]) {
    if (node?.type !== 'object') {
      const at = `${file} ${placeIn(body, node?.offset ?? 0)}`;
      throw new SetupError(`${at}: an object is wanted here; mend the file, then try again`);
    }
    if (key === undefined) break;
    const [one, two]: readonly Node[] = propertiesOf(node).filter((property) => keyOf(property) === key);
    if (two !== undefined) {
      throw new SetupError(
        `${file} ${placeIn(body, two.offset)}: "${key}" stands here a second time; take one out`,
      );
    }
    node = one?.children?.[1];
    if (node === undefined) break;
  }
  const value = plainValue(tree);
  return isRecord(value) ? value : {};
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}

/** The comments of a text in their order: an edit loses none. */
export function commentsOf(text: string): readonly string[] {
  return tokensOf(bodyOf(text), 0, bodyOf(text).length)
    .filter(({ kind }) => isComment(kind))
    .map((token) => token.text.trimEnd());
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A node's value, as JSON.parse would make it; jsonc-parser's own has objects without a prototype. */
export function plainValue(node: Node): unknown {
  const parts = node.children ?? [];
  if (node.type === 'array') return parts.map(plainValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    parts.map(({ children: [name, value] = [] }) => [
      name?.value,
      value === undefined ? undefined : plainValue(value),
    ]),
  );
}

/** A text without its byte order mark. */
export const bodyOf = (text: string) => (text.startsWith(mark) ? text.slice(1) : text);
export const propertiesOf = (node: Node): readonly Node[] => node.children ?? [];
export const keyOf = (property: Node): unknown => property.children?.[0]?.value;
const words = (code: string) => code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

interface Token {
  readonly kind: number;
  readonly offset: number;
  readonly text: string;
}

export function tokensOf(body: string, from: number, to: number): readonly Token[] {
  const scanner = createScanner(body.slice(from, to), false);
  const tokens: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan()) {
    const offset = from + scanner.getTokenOffset();
    tokens.push({ kind, offset, text: body.slice(offset, offset + scanner.getTokenLength()) });
  }
  return tokens;
}

function isComment(kind: number): boolean {
  return kind === kinds.lineComment || kind === kinds.blockComment;
}
