// `api_clients` of a leo.yaml, changed in place: a client put in or taken out, and every other byte as it was.
//
// What must stay true: what comes out says the same as what went in but for that one client. Where the section is
// a plain block, lines are put in or taken out; any other way of writing it goes through the YAML document, which
// keeps comments and content, if not every space. Pure.

import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { ApiClient } from './config.js';

const section = 'api_clients';

/** The text with a client put in; one of the same name must not be there. */
export function withClient(text: string, name: string, { canMessage }: ApiClient): string {
  const entry = `${scalar(name)}: { can_message: [${canMessage.map(scalar).join(', ')}] }`;
  const expected = clientsIn(text);
  expected.set(name, { can_message: [...canMessage] });
  return edited(text, expected, withEntry(text, entry), (document) =>
    document.setIn([section, name], { can_message: [...canMessage] }),
  );
}

/** The text with a client taken out; it must be there. */
export function withoutClient(text: string, name: string): string {
  const expected = clientsIn(text);
  expected.delete(name);
  return edited(text, expected, withoutEntry(text, name), (document) => document.deleteIn([section, name]));
}

type Clients = Map<string, unknown>;
type Editable = ReturnType<typeof parseDocument>;

/** The change of lines if it says what it should, else the same change of the document. */
function edited(
  text: string,
  expected: Clients,
  byLines: string | undefined,
  change: (document: Editable) => void,
): string {
  if (byLines !== undefined && saysOnly(byLines, text, expected)) return byLines;
  const document = parseDocument(text);
  change(document);
  const whole = document.toString({ lineWidth: 0 });
  if (saysOnly(whole, text, expected)) return whole;
  throw new Error(`${section} cannot be changed without changing something else`);
}

/** Whether a text says the same as another, but for its clients, which are as expected. */
function saysOnly(text: string, before: string, expected: Clients): boolean {
  return (
    parseDocument(text).errors.length === 0 &&
    isDeepStrictEqual(clientsIn(text), expected) &&
    isDeepStrictEqual(restOf(text), restOf(before))
  );
}

function contentOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = parseDocument(text).toJS();
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function clientsIn(text: string): Clients {
  const value = contentOf(text)[section];
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function restOf(text: string): object {
  const { [section]: _, ...rest } = contentOf(text);
  return rest;
}

/** The section with one line more, at its end; undefined where it is not a plain block. */
function withEntry(text: string, entry: string): string | undefined {
  const { contents } = parseDocument(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const body = text === '' || text.endsWith('\n') ? text : `${text}${newline}`;
  if (contents === null) return `${body}${section}:${newline}  ${entry}${newline}`;
  if (!isMap(contents) || contents.flow) return undefined;
  const pair = pairOf(contents, section);
  if (pair === undefined) return `${body}${section}:${newline}  ${entry}${newline}`;
  const { value } = pair;
  if (isMap(value)) {
    const [first, last] = [value.items[0], value.items.at(-1)];
    if (value.flow || first === undefined || last === undefined) return undefined;
    const at = lineEnd(body, endOf(last));
    const start = startOf(first);
    return `${body.slice(0, at)}${' '.repeat(start - lineStart(body, start))}${entry}${newline}${body.slice(at)}`;
  }
  if (value !== null && !(isScalar(value) && value.value === null)) return undefined;
  const at = lineEnd(body, startOf(pair));
  return `${body.slice(0, at)}  ${entry}${newline}${body.slice(at)}`;
}

/** The section without the lines of one client; undefined where it is not a plain block. */
function withoutEntry(text: string, name: string): string | undefined {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return undefined;
  const clients = pairOf(contents, section)?.value;
  if (!isMap(clients) || clients.flow) return undefined;
  const pair = pairOf(clients, name);
  if (pair === undefined) return undefined;
  return `${text.slice(0, lineStart(text, startOf(pair)))}${text.slice(lineEnd(text, endOf(pair)))}`;
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function startOf({ key }: Pair): number {
  return isNode(key) ? (key.range?.[0] ?? 0) : 0;
}

function endOf({ key, value }: Pair): number {
  return [key, value].reduce<number>(
    (end, node) => Math.max(end, isNode(node) ? (node.range?.[1] ?? 0) : 0),
    0,
  );
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the next line begins, after the line that the last of what stands before `at` is in. */
function lineEnd(text: string, at: number): number {
  const end = text.slice(0, at).trimEnd().length;
  const newline = text.indexOf('\n', end);
  return newline < 0 ? text.length : newline + 1;
}

/** A text as YAML: plain where nothing else could be read into it. */
function scalar(text: string): string {
  const plain = /^[A-Za-z][A-Za-z0-9_-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}
