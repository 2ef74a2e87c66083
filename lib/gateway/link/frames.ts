// The frames of a WebSocket (RFC 6455), as a client writes and reads them. Pure but for the reader's buffer.
//
// The gateway speaks them itself: a WebSocket library brings HTTP, TLS and zlib into every agent's gateway,
// which is a quarter of the memory that it may take.

/** What a peer said. */
export type Frame =
  | { readonly kind: 'message'; readonly data: Buffer }
  | { readonly kind: 'ping'; readonly data: Buffer }
  | { readonly kind: 'pong' }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
type Opcode = (typeof opcodes)[keyof typeof opcodes];

/** A peer that does not speak WebSocket, or says too much at once; the connection is of no more use. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** The code of a close frame that carries none. */
const noCode = 1005;

/**
 * One frame of a client, in pieces that follow one another.
 *
 * @param mask four bytes that nobody can foresee, where something between the ends might read the traffic as
 *   something else; undefined on a socket that stays in this machine, whose payload is sent as it is.
 */
export function encodeFrame(opcode: Opcode, payload: Buffer, mask?: Buffer): readonly Buffer[] {
  const length = payload.length;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra + 4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (mask === undefined) return [head, payload]; // The mask of zeros changes nothing.
  mask.copy(head, 2 + extra);
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at++) masked[at] = (masked[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return [head, masked];
}

/** Takes bytes and gives frames; messages in fragments are put together. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** How many bytes make sense to look at next. */
  #wanted = 2;
  #fragments: Buffer[] = [];
  #fragmentsSize = 0;

  constructor(private readonly maxMessageBytes: number) {}

  /** The frames that a chunk completes. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const frames: Frame[] = [];
    while (this.#size >= this.#wanted) {
      const bytes = this.#joined();
      const head = this.#readHead(bytes);
      if (head === undefined) break;
      const { final, opcode, start, length } = head;
      this.#wanted = start + length;
      if (bytes.length < this.#wanted) break;
      const frame = this.#readFrame(final, opcode, bytes.subarray(start, this.#wanted));
      if (frame !== undefined) frames.push(frame);
      const rest = bytes.subarray(this.#wanted);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
      this.#wanted = 2;
    }
    return frames;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const bytes = Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [bytes];
    return bytes;
  }

  #readHead(bytes: Buffer): { final: boolean; opcode: number; start: number; length: number } | undefined {
    const [first = 0, second = 0] = bytes;
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0) {
      throw new FrameError('the peer sent something that is no WebSocket frame of a server');
    }
    const short = second & 0x7f;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < start) {
      this.#wanted = start;
      return undefined;
    }
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (length + this.#fragmentsSize > this.maxMessageBytes) {
      throw new FrameError(`the peer sent a message of more than ${this.maxMessageBytes} bytes`);
    }
    return { final: (first & 0x80) !== 0, opcode: first & 0x0f, start, length };
  }

  #readFrame(final: boolean, opcode: number, payload: Buffer): Frame | undefined {
    switch (opcode) {
      case opcodes.ping:
        return { kind: 'ping', data: payload };
      case opcodes.pong:
        return { kind: 'pong' };
      case opcodes.close:
        return payload.length < 2
          ? { kind: 'close', code: noCode, reason: '' }
          : { kind: 'close', code: payload.readUInt16BE(0), reason: payload.toString('utf8', 2) };
      case opcodes.text:
      case opcodes.binary:
      case opcodes.continuation: {
        if ((opcode === opcodes.continuation) !== this.#fragments.length > 0) {
          throw new FrameError('the peer sent the fragments of a message out of order');
        }
        if (final && this.#fragments.length === 0) return { kind: 'message', data: payload };
        this.#fragments.push(payload);
        this.#fragmentsSize += payload.length;
        if (!final) return undefined;
        const data = Buffer.concat(this.#fragments, this.#fragmentsSize);
        this.#fragments = [];
        this.#fragmentsSize = 0;
        return { kind: 'message', data };
      }
      default:
        throw new FrameError(`the peer sent a frame of the unknown kind ${opcode}`);
    }
  }
}
