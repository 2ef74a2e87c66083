// One reader of the event stream: frames go out in order, and a reader that does not read is cut off.
//
// What must stay true: no reader ever waits for another; at most `maxUnsentBytes` wait behind what the socket is
// taking, or one frame of any size, so that a call with large arguments reaches a reader that reads; a reader
// that is cut off gets no torn frame followed by more, its connection ends.

import type { ServerResponse } from 'node:http';

/** How many bytes may wait for a reader before it is cut off: 1 MiB (design 5). */
export const maxUnsentBytes = 1024 * 1024;

export class StreamReader {
  #queue: string[] = [];
  #queuedBytes = 0;
  #writing = false;
  #closed = false;
  #flushSoon = false;

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
      onClose();
    });
    // A reader that goes away in the middle of a write is no fault of ours; `close` follows.
    response.on('error', () => response.destroy());
  }

  /** Whether anything waits behind what the socket is taking. */
  get idle(): boolean {
    return !this.#writing && this.#queue.length === 0;
  }

  /** Sends text at the end of this turn of the event loop: what comes together shares a write. */
  send(text: string): void {
    if (this.#closed) return;
    this.#queue.push(text);
    this.#queuedBytes += Buffer.byteLength(text);
    if (!this.#flushSoon) {
      this.#flushSoon = true;
      setImmediate(() => {
        this.#flushSoon = false;
        this.#flush();
      });
    }
    if (this.#queuedBytes <= maxUnsentBytes) return;
    // What came in one turn has had no chance to leave; only behind a write is it a reader that does not read.
    if (!this.#writing) this.#flush();
    else if (this.#queue.length > 1) this.cut();
  }

  /** Ends the stream after what is on its way. */
  end(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.response.end();
  }

  /** Ends the stream at once, and with it the connection. */
  cut(): void {
    this.response.destroy();
  }

  #flush(): void {
    if (this.#writing || this.#queue.length === 0 || this.#closed) return;
    const text = this.#queue.length === 1 ? (this.#queue[0] ?? '') : this.#queue.join('');
    this.#queue = [];
    this.#queuedBytes = 0;
    if (this.response.write(text)) return;
    this.#writing = true;
    this.response.once('drain', () => {
      this.#writing = false;
      this.#flush();
    });
  }
}
