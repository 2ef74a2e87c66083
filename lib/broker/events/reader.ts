// One reader of the event stream: frames go out in order, and a reader that does not read is cut off.
//
// What must stay true: no reader ever waits for another; a reader behind which more than `maxUnsentBytes` wait
// must be seen to take some within `stallMs`, and again and again while they do, so that calls with large
// arguments, or many at once, reach a reader that reads; past `maxBacklogBytes` it is too slow and cut off all
// the same; a reader that is cut off gets no torn frame followed by more, its connection ends.

import type { ServerResponse } from 'node:http';

/** How many bytes may wait for a reader that takes none: 1 MiB (design 5). */
export const maxUnsentBytes = 1024 * 1024;
/** How long a reader with more than that behind it may take none, in milliseconds. */
const stallMs = 3000;
/** How many bytes may wait for a reader that takes some: with that many it comes back and asks what is open. */
const maxBacklogBytes = 64 * 1024 * 1024;
/** How long what nobody acts on may wait for company, in milliseconds. */
const laterMs = 10;
/** The most that is given to the socket at once, in bytes: a reader's progress shows between two writes. */
const writeBytes = 256 * 1024;

type Piece = { readonly data: string | Buffer; readonly bytes: number };

export class StreamReader {
  #queue: Piece[] = [];
  #queuedBytes = 0;
  #writing = false;
  #closed = false;
  #flushSoon: NodeJS.Immediate | undefined;
  #flushLater: NodeJS.Timeout | undefined;
  /** Runs while more waits than a reader may leave unread, from the last time that it took some. */
  #stall: NodeJS.Timeout | undefined;

  /**
   * @param response its head is already sent.
   * @param onClose called once when the stream is over, whoever ended it.
   */
  constructor(
    readonly response: ServerResponse,
    onClose: () => void,
  ) {
    response.once('close', () => {
      this.#closed = true;
      this.#queue = [];
      clearTimeout(this.#stall);
      clearTimeout(this.#flushLater);
      onClose();
    });
    // A reader that goes away in the middle of a write is no fault of ours; `close` follows.
    response.on('error', () => response.destroy());
  }

  /** Whether anything waits behind what the socket is taking. */
  get idle(): boolean {
    return !this.#writing && this.#queue.length === 0;
  }

  /**
   * Sends text at the end of this turn of the event loop: what comes together shares a write.
   *
   * @param options.later `true` for what nobody acts on: it may wait a few milliseconds to go with the next text.
   */
  send(text: string, { later = false } = {}): void {
    if (this.#closed) return;
    // Asked before the text is added: one frame may have any size, and so may the `hello` of an app that comes back.
    if (this.#queuedBytes > maxBacklogBytes) return this.cut();
    this.#enqueue(text);
    this.#watch();
    if (later) this.#flushLater ??= setTimeout(() => this.#flush(), laterMs);
    else this.#flushSoon ??= setImmediate(() => this.#flush());
  }

  /** Ends the stream after what is on its way. */
  end(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    clearTimeout(this.#stall);
    this.response.end();
  }

  /** Ends the stream at once, and with it the connection. */
  cut(): void {
    this.response.destroy();
  }

  #enqueue(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#queuedBytes += bytes;
    if (bytes <= writeBytes) {
      this.#queue.push({ data: text, bytes });
      return;
    }
    const whole = Buffer.from(text);
    for (let start = 0; start < bytes; start += writeBytes) {
      const data = whole.subarray(start, start + writeBytes);
      this.#queue.push({ data, bytes: data.length });
    }
  }

  #flush(): void {
    clearImmediate(this.#flushSoon);
    clearTimeout(this.#flushLater);
    this.#flushSoon = undefined;
    this.#flushLater = undefined;
    if (this.#writing || this.#queue.length === 0 || this.#closed) return;
    if (this.response.write(this.#nextWrite())) return this.#flush();
    this.#writing = true;
    this.response.once('drain', () => {
      this.#writing = false;
      clearTimeout(this.#stall);
      this.#stall = undefined;
      this.#flush();
      this.#watch();
    });
  }

  /** Takes out what goes into one write: one large piece, or as many small ones as fit. */
  #nextWrite(): string | Buffer {
    const [first] = this.#queue;
    if (first === undefined) return '';
    let count = 1;
    let { bytes } = first;
    let text = typeof first.data === 'string' ? first.data : undefined;
    for (; text !== undefined && count < this.#queue.length; count++) {
      const next = this.#queue[count];
      if (typeof next?.data !== 'string' || bytes + next.bytes > writeBytes) break;
      text += next.data;
      bytes += next.bytes;
    }
    this.#queue.splice(0, count);
    this.#queuedBytes -= bytes;
    return text ?? first.data;
  }

  #watch(): void {
    if (this.#closed || this.#stall !== undefined || this.#queuedBytes <= maxUnsentBytes) return;
    this.#stall = setTimeout(() => this.cut(), stallMs);
  }
}
