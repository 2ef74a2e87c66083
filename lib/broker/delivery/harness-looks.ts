// What each harness' prompt looks like, as recorded from the real ones (fixtures/screens). Pure.
//
// Five of them put the cursor where they want to be typed to, and there the prompt is. Qwen Code leaves it below all
// that it shows: its prompt is the box that is the last thing on the screen but for one or two lines.

import type { SupervisedHarness } from '../../config/templates.js';
import type { Screen } from './screen.js';

/** A prompt: its first and last row, and whether something has been typed into it. */
export interface Prompt {
  readonly first: number;
  readonly last: number;
  readonly draft: boolean;
}

export interface Look {
  /** The prompt that may be typed to. */
  prompt(screen: Screen): Prompt | undefined;
  /** Whether the harness works, by what it says near its prompt. */
  busy(rows: readonly string[], prompt: Prompt): boolean;
}

interface AtCursor {
  /** What a prompt's first row starts with; behind it the text starts. */
  readonly mark: RegExp;
  /** What is no row of a draft: the search for the first row ends here. */
  readonly ends?: RegExp;
  /** Whether what is around a prompt is what surrounds this harness' prompts. */
  readonly framed?: (rows: readonly string[], first: number, last: number) => boolean;
}

const rule = /^─{20}/;
/** How many rows of a draft a prompt's first row is looked for in. */
const draftRows = 40;

/** The prompt in which the cursor stands. */
function atCursor({ mark, ends, framed }: AtCursor): Look['prompt'] {
  return ({ rows, cursor }) => {
    for (let y = cursor.y; y >= Math.max(0, cursor.y - draftRows); y -= 1) {
      const row = rows[y] ?? '';
      // The spaces at a row's end are not captured.
      const start = mark.exec(`${row}  `)?.[0].length;
      if (start !== undefined) {
        if (cursor.x < start || framed?.(rows, y, cursor.y) === false) return undefined;
        return { first: y, last: cursor.y, draft: y !== cursor.y || cursor.x > start };
      }
      if (ends?.test(row)) return undefined;
    }
    return undefined;
  };
}

/** The box between the last two rules, with the cursor in the line below what is said under it. */
function lastBox(mark: RegExp, placeholder: RegExp): Look['prompt'] {
  return ({ rows, cursor }) => {
    const bottom = rows.findLastIndex((row) => rule.test(row));
    const top = rows.slice(0, Math.max(0, bottom)).findLastIndex((row) => rule.test(row));
    const below = cursor.y - bottom;
    if (top < 0 || below < 1 || below > 3 || !mark.test(rows[top + 1] ?? '')) return undefined;
    const draft = bottom - top > 2 || !placeholder.test(rows[top + 1] ?? '');
    return { first: top + 1, last: bottom - 1, draft };
  };
}

/** Whether one of the rows above a prompt, as many as are named, is of the form. */
function above(form: RegExp, count: number): Look['busy'] {
  return (rows, { first }) => rows.slice(Math.max(0, first - count), first).some((row) => form.test(row));
}

function below(form: RegExp, count: number): Look['busy'] {
  return (rows, { last }) => rows.slice(last + 1, last + 1 + count).some((row) => form.test(row));
}

/** Between two rules. */
const ruled: AtCursor['framed'] = (rows, first, last) =>
  rule.test(rows[first - 1] ?? '') && rows.slice(last + 1).some((row) => rule.test(row));

const looks: Readonly<Record<SupervisedHarness, Look>> = {
  'claude-code': {
    prompt: atCursor({ mark: /^❯[\s\u00a0]/, ends: rule, framed: ruled }),
    busy: (rows, prompt) =>
      below(/\besc to interrupt\b/i, 6)(rows, prompt) ||
      // The line with its spinner; of work that is over, it has no dots.
      above(/^[·✢✳✶✻✽∗*] \S[^…]*…/, 6)(rows, prompt),
  },
  codex: {
    prompt: atCursor({
      mark: /^› /,
      framed: (rows, first) => (rows[first - 1] ?? '').trim() === '',
    }),
    busy: above(/\besc to interrupt\)/i, 8),
  },
  opencode: {
    prompt: atCursor({
      mark: /^ *┃ {2}/,
      framed: (rows, _first, last) => rows.slice(last + 1, last + 5).some((row) => /^ *╹▀{20}/.test(row)),
    }),
    busy: below(/\besc (again to )?interrupt\b/i, 8),
  },
  'gemini-cli': {
    prompt: atCursor({ mark: /^ > /, ends: rule }),
    busy: above(/\(esc to cancel\b/i, 8),
  },
  'copilot-cli': {
    prompt: atCursor({ mark: /^❯ /, ends: rule, framed: ruled }),
    busy: below(/^ [○◎◉●◌◍◐◑◒◓] .*\besc\b/i, 4),
  },
  'qwen-code': {
    prompt: lastBox(/^> /, /^> {1,3}Type your message/),
    busy: above(/\(esc to cancel\b|^\S Initializing/i, 8),
  },
  custom: {
    prompt: atCursor({ mark: /^[\s│┃|]*(?:[\w.@~/:()[\]-]{1,40} ?)?[>❯›»λ] / }),
    busy: () => false,
  },
};

export function lookOf(harness: SupervisedHarness): Look {
  return looks[harness];
}
