// Which lines of a screen are new, told from one look to the next. Pure.
//
// A line that the cursor has left is said once, by its place from the top of all that was ever written. A program
// that paints its screen anew is not a log: of that, what stands above the cursor is said as it first stood.

export interface Look {
  /** Lines that have scrolled out at the top. */
  readonly history: number;
  /** The line of the cursor on the screen, from 0. */
  readonly cursor: number;
  /** Everything, history first. */
  readonly lines: readonly string[];
  /** Whether the program has ended: its last line is then whole. */
  readonly ended: boolean;
}

/**
 * @param said how many lines from the top are said already.
 * @returns what to say, and how many are said then.
 */
export function newLines(
  look: Look,
  said: number,
): { readonly lines: readonly string[]; readonly said: number } {
  const last = look.ended ? lastFilled(look.lines) : look.history + look.cursor;
  // Cleared, or cut at the top: what is there now was said, or can no longer be told apart.
  if (last < said) return { lines: [], said: last };
  return { lines: look.lines.slice(said, last), said: last };
}

/** The lines without tmux's own word, at the foot of the screen, that the program has ended. */
export function withoutNotice(lines: readonly string[]): readonly string[] {
  const last = lastFilled(lines) - 1;
  return /^Pane is dead\b/.test(lines[last] ?? '') ? lines.slice(0, last) : lines;
}

/** How many lines there are before nothing but empty ones. */
export function lastFilled(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '') + 1;
}
