// Markdown, as far as agents write it: headings, paragraphs, lists, quotes, code, tables, rules. Pure; HTML in it
// stays text. What is too long or too deep is shown as plain text.

import { parseInline } from './inline.js';
import type { Block } from './tree.js';

/** More than this is not read as Markdown, in characters: nobody reads it either, and a page must stay quick. */
export const longest = 100_000;
const deepest = 6;

const fence = /^ {0,3}(`{3,}|~{3,})/;
// Marks only, so that no line makes a pattern go back and forth.
const heading = /^ {0,3}(#{1,6})(?= |$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/;
const tableRule = /^:?-+:?$/;
const blank = /^[ \t]*$/;

/** Reads a text. */
export function parseMarkdown(text: string): readonly Block[] {
  const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ');
  if (plain.length > longest) return [{ is: 'code', text: plain }];
  return parseBlocks(plain.split('\n'), 0);
}

function parseBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (blank.test(line)) {
      at++;
      continue;
    }
    const found = depth > deepest ? undefined : startOf(lines, at, depth);
    if (found !== undefined) {
      blocks.push(found.block);
      at = found.next;
      continue;
    }
    const from = at++;
    while (at < lines.length && !blank.test(lines[at] ?? '') && !interrupts(lines, at)) at++;
    const inside = parseInline(
      lines
        .slice(from, at)
        .map((each) => each.trimStart())
        .join('\n')
        .trimEnd(),
    );
    blocks.push({ is: 'paragraph', inside });
  }
  return blocks;
}

/** The block that begins at a line, if it is none of plain words. */
function startOf(
  lines: readonly string[],
  at: number,
  depth: number,
): { readonly block: Block; readonly next: number } | undefined {
  const line = lines[at] ?? '';
  const fenced = fence.exec(line)?.[1];
  if (fenced !== undefined) return fencedCode(lines, at, fenced);
  const titled = heading.exec(line);
  if (titled !== null)
    return {
      block: { is: 'heading', level: titled[1]?.length ?? 1, inside: parseInline(headingText(line)) },
      next: at + 1,
    };
  if (rule.test(line)) return { block: { is: 'rule' }, next: at + 1 };
  if (quote.test(line)) {
    const end = endOf(lines, at, (each) => quote.test(each));
    const inside = lines.slice(at, end).map((each) => each.replace(quote, ''));
    return { block: { is: 'quote', blocks: parseBlocks(inside, depth + 1) }, next: end };
  }
  if (isTable(lines, at)) return table(lines, at);
  return item.test(line) ? readList(lines, at, depth) : undefined;
}

function interrupts(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const started = item.exec(line);
  return (
    fence.test(line) ||
    heading.test(line) ||
    rule.test(line) ||
    quote.test(line) ||
    (started !== null && started[4] !== undefined) ||
    isTable(lines, at)
  );
}

/** Without the marks in front and behind. */
function headingText(line: string): string {
  const words = line.trim().replace(/^#+/, '').trim();
  let end = words.length;
  while (words[end - 1] === '#') end--;
  return end === 0 || words[end - 1] === ' ' ? words.slice(0, end).trim() : words;
}

function fencedCode(lines: readonly string[], at: number, mark: string) {
  const end = endOf(lines, at + 1, (each) => {
    const closing = each.trim();
    return !(closing.startsWith(mark) && closing.replaceAll(mark[0] ?? '`', '') === '');
  });
  const text = lines.slice(at + 1, end).join('\n');
  return { block: { is: 'code', text } as const, next: Math.min(lines.length, end + 1) };
}

function readList(lines: readonly string[], from: number, depth: number) {
  const first = item.exec(lines[from] ?? '');
  const marker = first?.[2] ?? '-';
  const kind = marker.at(-1);
  const items: (readonly Block[])[] = [];
  let at = from;
  while (at < lines.length) {
    const started = item.exec(lines[at] ?? '');
    if (started === null || started[2]?.at(-1) !== kind || rule.test(lines[at] ?? '')) break;
    const [, indent = '', mark = '', gap = ' '] = started;
    const inner = indent.length + mark.length + (gap.length > 4 ? 1 : gap.length);
    const own: string[] = [(lines[at] ?? '').slice(inner)];
    at++;
    while (at < lines.length) {
      const line = lines[at] ?? '';
      const indented = /^ */.exec(line)?.[0].length ?? 0;
      if (blank.test(line)) {
        // Belongs to the item only if something indented follows.
        const after = lines[at + 1] ?? '';
        if (blank.test(after) || (/^ */.exec(after)?.[0].length ?? 0) < inner) break;
        own.push('');
      } else if (indented >= inner) own.push(line.slice(inner));
      else if (interrupts(lines, at) || blank.test(lines[at - 1] ?? '')) break;
      else own.push(line.trimStart());
      at++;
    }
    items.push(parseBlocks(own, depth + 1));
    if (blank.test(lines[at] ?? '') && item.test(lines[at + 1] ?? '')) at++;
  }
  const start = /\d/.test(marker) ? Number.parseInt(marker, 10) : undefined;
  return { block: { is: 'list', start, items } as const, next: at };
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = '', below = ''] = [lines[at], lines[at + 1]];
  return (
    head.includes('|') &&
    below.includes('-') &&
    cells(below).every((cell) => tableRule.test(cell)) &&
    cells(head).length === cells(below).length
  );
}

function table(lines: readonly string[], at: number) {
  const head = cells(lines[at] ?? '');
  const end = endOf(lines, at + 2, (each) => each.includes('|') && !blank.test(each));
  const rows = lines.slice(at + 2, end).map((line) => {
    const row = cells(line);
    return head.map((_, index) => parseInline(row[index] ?? ''));
  });
  return { block: { is: 'table', head: head.map((cell) => parseInline(cell)), rows } as const, next: end };
}

function cells(line: string): readonly string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The first line from `at` on that is not of the block. */
function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? '')) end++;
  return end;
}
