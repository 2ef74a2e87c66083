import fc from 'fast-check';
import t from 'tap';
import {
  encodeFrame,
  type Frame,
  FrameError,
  FrameReader,
  opcodes,
} from '../../../lib/gateway/link/frames.js';
import { cutAt } from '../../support/chunks.js';

/** A frame as a server sends it: not masked. */
function served(opcode: number, payload: Buffer, final = true): Buffer {
  const length = payload.length;
  const head =
    length < 126 ? Buffer.of(0, length) : length < 65_536 ? Buffer.of(0, 126, 0, 0) : Buffer.alloc(10);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  head[0] = (final ? 0x80 : 0) | opcode;
  return Buffer.concat([head, payload]);
}
const text = (length: number) => Buffer.alloc(length, 'abc');
const messages = (frames: readonly Frame[]) =>
  frames.map((frame) => (frame.kind === 'message' ? frame.data.toString() : frame.kind));

t.test('reads messages of every length, however they are cut', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 20 }),
      (lengths, cuts) => {
        const bytes = Buffer.concat(lengths.map((length) => served(opcodes.text, text(length))));
        const reader = new FrameReader(100_000);
        const frames = cutAt(bytes, cuts).flatMap((chunk) => reader.push(chunk));
        return (
          JSON.stringify(messages(frames)) ===
          JSON.stringify(lengths.map((length) => text(length).toString()))
        );
      },
    ),
    { numRuns: 60 },
  );
});

t.test('puts fragments together, with a ping in between', async (t) => {
  const frames = new FrameReader(100).push(
    Buffer.concat([
      served(opcodes.text, Buffer.from('a'), false),
      served(opcodes.ping, Buffer.from('p')),
      served(opcodes.continuation, Buffer.from('b'), false),
      served(opcodes.continuation, Buffer.from('c')),
      served(opcodes.close, Buffer.concat([Buffer.of(0x0f, 0xa0), Buffer.from('why')])),
      served(opcodes.close, Buffer.alloc(0)),
    ]),
  );
  t.strictSame(messages(frames), ['ping', 'abc', 'close', 'close']);
  t.match(frames[2], { code: 4000, reason: 'why' });
});

const wrong: readonly [what: string, bytes: Buffer][] = [
  ['a message that is too long', served(opcodes.text, text(101))],
  [
    'fragments that are too long together',
    Buffer.concat([served(opcodes.text, text(60), false), served(opcodes.continuation, text(60))]),
  ],
  ['a continuation of nothing', served(opcodes.continuation, text(1))],
  [
    'a new message inside another',
    Buffer.concat([served(opcodes.text, text(1), false), served(opcodes.text, text(1))]),
  ],
  ['a masked frame', Buffer.of(0x81, 0x80, 0, 0, 0, 0)],
  ['compression that was not agreed on', Buffer.of(0xc1, 0x01, 0x61)],
  ['an unknown kind', served(3, text(1))],
  ['HTTP', Buffer.from('HTTP/1.1 200 OK')],
];
for (const [what, bytes] of wrong) {
  t.test(`refuses ${what}`, async (t) => t.throws(() => new FrameReader(100).push(bytes), FrameError));
}

t.test('a masked frame of ours unmasks to what was sent', async (t) => {
  for (const length of [0, 5, 126, 70_000]) {
    const mask = Buffer.of(1, 2, 3, 4);
    const bytes = Buffer.concat(encodeFrame(opcodes.text, text(length), mask));
    const start = bytes.length - length;
    t.strictSame(bytes.subarray(start - 4, start), mask);
    const payload = bytes.subarray(start).map((byte, at) => byte ^ (mask[at & 3] ?? 0));
    t.ok(Buffer.from(payload).equals(text(length)));
    t.ok(
      Buffer.concat(encodeFrame(opcodes.text, text(length)))
        .subarray(start)
        .equals(text(length)),
    );
  }
});
