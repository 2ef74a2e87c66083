// A text as a QR code of half-blocks, two modules a character.

import { renderUnicodeCompact } from 'uqr';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The lines of the code; in a terminal black on white whatever its colours, since not every camera reads it inverted. */
export function qrCode(text: string, terminal: Terminal = process.stdout): readonly string[] {
  const { isTTY = false, columns = 80 } = terminal;
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n');
  const width = lines[0]?.length ?? 0;
  if (isTTY && columns < width)
    return [`(The code needs ${width} columns: widen the terminal, or use the link.)`];
  return isTTY ? lines.map((line) => `\u001b[97;40m${line}\u001b[0m`) : lines;
}
