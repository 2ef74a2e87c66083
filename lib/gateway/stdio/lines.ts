// Bytes in, lines out. Pure but for its own buffer.
//
// - A line ends with LF; a CR before it is not part of it. Blank lines are nothing. A byte-order mark in front
//   of the first byte is nothing either.
// - A character may be cut by a chunk at any byte: lines are decoded whole. Invalid UTF-8 becomes U+FFFD.
// - No line holds more than `maxLineBytes` in memory: of a longer one only its two ends are kept, from which
//   the sender can still be answered.

export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'oversize'; readonly head: string; readonly tail: string; readonly bytes: number };

/** The longest line that is read, in bytes: arguments with a 10 MiB image in base64 fit. */
export const maxLineBytes = 16 * 1024 * 1024;
const endBytes = 4096;

const lf = 0x0a;

export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  #oversize: { head: Buffer; tail: Buffer } | undefined;
  #started = false;

  constructor(private readonly maxBytes: number = maxLineBytes) {}

  /** The lines that a chunk completes. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lf); end >= 0; end = chunk.indexOf(lf, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish(lines);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What stands at the end of the input without a line end: a whole message as often as half of one. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(lines);
    return lines;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#oversize !== undefined) {
      this.#oversize.tail = lastBytes(Buffer.concat([this.#oversize.tail, bytes.subarray(-endBytes)]));
      return;
    }
    this.#parts.push(bytes);
    if (this.#size > this.maxBytes) {
      const all = Buffer.concat(this.#parts);
      this.#oversize = {
        head: Buffer.from(all.subarray(0, Math.min(endBytes, this.maxBytes))),
        tail: lastBytes(all),
      };
      this.#parts = [];
    }
  }

  #finish(lines: Line[]): void {
    if (this.#oversize !== undefined) {
      const { head, tail } = this.#oversize;
      lines.push({ kind: 'oversize', head: head.toString(), tail: tail.toString(), bytes: this.#size });
    } else if (this.#size > 0) {
      const [first] = this.#parts;
      const whole =
        this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts, this.#size);
      let text = whole.toString();
      if (!this.#started && text.startsWith('\ufeff')) text = text.slice(1);
      this.#started = true;
      if (text.trim() !== '') lines.push({ kind: 'text', text });
    }
    this.#parts = [];
    this.#size = 0;
    this.#oversize = undefined;
  }
}

function lastBytes(bytes: Buffer): Buffer {
  // A copy, so that the long buffer behind it is let go.
  return Buffer.from(bytes.subarray(-endBytes));
}
