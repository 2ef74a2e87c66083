// Writing to the harness. The edge.
//
// - Lines go out whole and in order. The stream is given a few pieces at a time, so that a slow reader shows,
//   and so does how far it has come.
// - After `finish` nothing is accepted; it ends when everything was written, or when the reader has taken
//   nothing for a while, or is gone.

import type { Writable } from 'node:stream';
import type { Clock } from '../clock.js';

const pieceBytes = 64 * 1024;
const windowBytes = 4 * pieceBytes;
/** What may wait for a slow reader before nothing more is read from it: more than the largest result. */
const behindBytes = 16 * 1024 * 1024;

export class LineWriter {
  readonly #queue: Buffer[] = [];
  #queued = 0;
  #inFlight = 0;
  #taken = 0;
  #scheduled = false;
  #state: 'open' | 'finishing' | 'broken' = 'open';
  #waiting: (() => void)[] = [];

  constructor(
    private readonly stream: Writable,
    private readonly clock: Clock,
    private readonly onBroken: (error: Error) => void,
  ) {
    stream.on('error', (error: Error) => this.#broke(error));
    stream.on('close', () => this.#broke(new Error('stdout was closed')));
  }

  /** Whether so much waits for the reader that it should be given nothing more to answer. */
  get behind(): boolean {
    return this.#queued > behindBytes;
  }

  /** Queues a line. */
  write(pieces: readonly (string | Buffer)[]): void {
    if (this.#state !== 'open') return;
    const buffers = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    const size = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    this.#queue.push(...buffers);
    this.#queued += size;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Lines of one turn of the loop leave in one write.
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  /** Waits until everything that was queued is written, or the reader is gone. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#idle() || this.#state === 'broken') resolve();
      else this.#waiting.push(resolve);
    });
  }

  /**
   * Accepts no more, and waits until all is written.
   *
   * @param patienceMs how long a reader may take nothing before the rest is given up.
   */
  async finish(patienceMs: number): Promise<void> {
    if (this.#state === 'open') this.#state = 'finishing';
    while (this.#state === 'finishing' && !this.#idle()) {
      const before = this.#taken;
      await new Promise<void>((resolve) => {
        const callOff = this.clock.after(patienceMs, resolve);
        void this.caughtUp().then(() => {
          callOff();
          resolve();
        });
      });
      if (this.#taken === before) return;
    }
  }

  #idle(): boolean {
    return this.#queue.length === 0 && this.#inFlight === 0;
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#inFlight < windowBytes) {
      const piece = this.#nextPiece();
      this.#queued -= piece.length;
      this.#inFlight += piece.length;
      this.stream.write(piece, (error) => {
        this.#inFlight -= piece.length;
        if (error) return;
        this.#taken += piece.length;
        this.#pump();
        if (this.#idle()) this.#release();
      });
    }
  }

  /** As much of the queue's front as makes a piece: several short lines, or a part of a long one. */
  #nextPiece(): Buffer {
    let size = 0;
    let count = 0;
    for (const buffer of this.#queue) {
      if (size + buffer.length > pieceBytes) break;
      size += buffer.length;
      count++;
    }
    if (count > 0) return joined(this.#queue.splice(0, count), size);
    const [long = Buffer.alloc(0)] = this.#queue;
    this.#queue[0] = long.subarray(pieceBytes);
    return long.subarray(0, pieceBytes);
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #broke(error: Error): void {
    if (this.#state === 'broken') return;
    this.#state = 'broken';
    this.#queue.length = 0;
    this.#queued = 0;
    this.#release();
    this.onBroken(error);
  }
}

function joined(buffers: readonly Buffer[], size: number): Buffer {
  const [first] = buffers;
  return buffers.length === 1 && first !== undefined ? first : Buffer.concat(buffers, size);
}
