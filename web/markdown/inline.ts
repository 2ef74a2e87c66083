// The Markdown within a line: emphasis, code, links. Pure.
//
// What must stay true: the time is linear in the text, whatever it is. A mark whose end was looked for in vain is
// not looked for again, and a link is looked for within a bounded distance. Only http and https become links.

import type { Inline } from './tree.js';

const deepest = 6;
/** How long the text and the address of a link may be, in characters. */
const longestLink = 1000;

const marks: readonly { readonly mark: string; readonly is: 'strong' | 'em' | 'del' }[] = [
  { mark: '**', is: 'strong' },
  { mark: '__', is: 'strong' },
  { mark: '~~', is: 'del' },
  { mark: '*', is: 'em' },
  { mark: '_', is: 'em' },
];
const special = /[\\`*_~[!<\n]|https?:\/\//g;
const escapable = /[!-/:-@[-`{-~]/;

interface Found {
  readonly inline: readonly Inline[];
  /** Where reading goes on. */
  readonly next: number;
}

/** Reads the text of one paragraph, heading or cell. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const out: Inline[] = [];
  // Marks that have no end from here on.
  const endless = new Set<string>();
  const look = new RegExp(special);
  let plain = '';
  let at = 0;
  const flush = () => {
    if (plain !== '') out.push({ is: 'text', text: plain });
    plain = '';
  };
  while (at < text.length) {
    look.lastIndex = at;
    const next = look.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    const found = read(text, at, endless, depth);
    if (found === undefined) {
      plain += text[at] ?? '';
      at++;
    } else {
      if (found.inline.length > 0) flush();
      out.push(...found.inline);
      at = found.next;
      // An escaped character is text like any other.
      const last = out.at(-1);
      if (found.inline.length === 1 && last?.is === 'text') {
        out.pop();
        plain = last.text;
      }
    }
  }
  flush();
  return joined(out);
}

function read(text: string, at: number, endless: Set<string>, depth: number): Found | undefined {
  const character = text[at];
  switch (character) {
    case '\\': {
      const escaped = text[at + 1];
      if (escaped === '\n') return { inline: [{ is: 'break' }], next: at + 2 };
      if (escaped === undefined || !escapable.test(escaped)) return undefined;
      return { inline: [{ is: 'text', text: escaped }], next: at + 2 };
    }
    case '\n': {
      const hard = text.slice(Math.max(0, at - 2), at) === '  ';
      return { inline: [hard ? { is: 'break' } : { is: 'text', text: '\n' }], next: at + 1 };
    }
    case '`':
      return code(text, at, endless);
    case '!':
      // An image of elsewhere is never loaded: it becomes a link to it.
      return text[at + 1] === '[' ? link(text, at + 1, endless, depth) : undefined;
    case '[':
      return link(text, at, endless, depth);
    case '<':
      return angled(text, at);
    case 'h':
      return bare(text, at);
    default:
      return emphasis(text, at, endless, depth);
  }
}

function code(text: string, at: number, endless: Set<string>): Found | undefined {
  const run = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? '`';
  // Within a longer run there is nothing to find either: it is passed over as a whole.
  const asText: Found = { inline: [{ is: 'text', text: run }], next: at + run.length };
  if (endless.has(run)) return asText;
  for (let end = text.indexOf(run, at + run.length); end >= 0; end = text.indexOf(run, end)) {
    let over = end + run.length;
    while (text[over] === '`') over++;
    if (over - end !== run.length) {
      end = over;
      continue;
    }
    const inside = text.slice(at + run.length, end).replaceAll('\n', ' ');
    const padded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    const bared = padded ? inside.slice(1, -1) : inside;
    return { inline: [{ is: 'code', text: bared }], next: over };
  }
  endless.add(run);
  return asText;
}

function emphasis(text: string, at: number, endless: Set<string>, depth: number): Found | undefined {
  const kind = marks.find(({ mark }) => text.startsWith(mark, at));
  if (kind === undefined || depth >= deepest || endless.has(kind.mark)) return undefined;
  const { mark, is } = kind;
  const from = at + mark.length;
  if (!/\S/.test(text[from] ?? ' ')) return undefined;
  // snake_case_names stay as they are.
  if (mark[0] === '_' && /\w/.test(text[at - 1] ?? ' ')) return undefined;
  for (let end = text.indexOf(mark, from + 1); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (mark.length === 1 && text[end + 1] === mark) {
      // A doubled mark within ends nothing here.
      end++;
      continue;
    }
    if (/\s/.test(text[end - 1] ?? ' ') || text[end - 1] === '\\') continue;
    if (mark[0] === '_' && /\w/.test(text[end + mark.length] ?? ' ')) continue;
    return {
      inline: [{ is, inside: parseInline(text.slice(from, end), depth + 1) }],
      next: end + mark.length,
    };
  }
  endless.add(mark);
  return undefined;
}

function link(text: string, at: number, endless: Set<string>, depth: number): Found | undefined {
  if (depth >= deepest || endless.has('[')) return undefined;
  const middle = text.indexOf('](', at + 1);
  if (middle < 0) endless.add('[');
  if (middle < 0 || middle - at > longestLink) return undefined;
  const end = text.slice(middle + 2, middle + 2 + longestLink).search(/[)\s]/);
  if (end < 0 || text[middle + 2 + end] !== ')') return undefined;
  const words = text.slice(at + 1, middle);
  const address = text.slice(middle + 2, middle + 2 + end);
  const next = middle + 2 + end + 1;
  const href = safeAddress(address);
  // What is no web address stays as it was written, and goes nowhere.
  if (href === undefined) return { inline: [{ is: 'text', text: `${words} (${address})` }], next };
  const inside =
    words === '' ? [{ is: 'text', text: address } as const] : withoutLinks(parseInline(words, depth + 1));
  return { inline: [{ is: 'link', href, inside }], next };
}

/** `<https://…>` */
function angled(text: string, at: number): Found | undefined {
  const address = /^<(https?:\/\/[^\s<>]+)>/.exec(text.slice(at, at + longestLink))?.[1];
  const href = address === undefined ? undefined : safeAddress(address);
  if (address === undefined || href === undefined) return undefined;
  return {
    inline: [{ is: 'link', href, inside: [{ is: 'text', text: address }] }],
    next: at + address.length + 2,
  };
}

/** An address as it stands; what ends a sentence is not of it. */
function bare(text: string, at: number): Found | undefined {
  const address = /^https?:\/\/[^\s<>"'`\]]+/
    .exec(text.slice(at, at + longestLink))?.[0]
    ?.replace(/[.,;:!?)*_~]+$/, '');
  const href = address === undefined ? undefined : safeAddress(address);
  if (address === undefined || href === undefined) return undefined;
  return {
    inline: [{ is: 'link', href, inside: [{ is: 'text', text: address }] }],
    next: at + address.length,
  };
}

/** The address, if it is one of the web. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

function withoutLinks(inside: readonly Inline[]): readonly Inline[] {
  return inside.flatMap((each): readonly Inline[] => {
    if (each.is === 'link') return withoutLinks(each.inside);
    return 'inside' in each ? [{ ...each, inside: withoutLinks(each.inside) }] : [each];
  });
}

/** Neighbouring texts made one. */
function joined(inlines: readonly Inline[]): readonly Inline[] {
  const out: Inline[] = [];
  for (const each of inlines) {
    const last = out.at(-1);
    if (each.is === 'text' && last?.is === 'text')
      out[out.length - 1] = { is: 'text', text: last.text + each.text };
    else out.push(each);
  }
  return out;
}
