import fc from 'fast-check';
import t from 'tap';
import { nothingUnread, type RawEvent, readPiece } from '../../web/link/sse.js';

/** Reads a stream that comes in pieces. */
function read(pieces: readonly string[]): readonly RawEvent[] {
  let unread = nothingUnread;
  return pieces.flatMap((piece) => {
    const read = readPiece(unread, piece);
    unread = read.unread;
    return read.events;
  });
}

const rows: readonly (readonly [what: string, stream: string, events: readonly RawEvent[]])[] = [
  ['an event', 'event: hello\ndata: {"a":1}\n\n', [{ type: 'hello', data: '{"a":1}' }]],
  ['an event without a name', 'data: x\n\n', [{ type: 'message', data: 'x' }]],
  ['comments, ids and waits are no events', ': hi\n\nid: 1\nretry: 10\n\n', []],
  ['data in two lines', 'data: a\ndata: b\n\n', [{ type: 'message', data: 'a\nb' }]],
  [
    'one space after the colon is not of the data',
    'data:  a\ndata:b\n\n',
    [{ type: 'message', data: ' a\nb' }],
  ],
  [
    'lines that end with CR LF or CR',
    'event: a\r\ndata: 1\r\n\r\ndata: 2\r\r',
    [
      { type: 'a', data: '1' },
      { type: 'message', data: '2' },
    ],
  ],
  ['what has not ended does not count', 'data: a\n\ndata: b\n', [{ type: 'message', data: 'a' }]],
  ['a name without data is forgotten', 'event: a\n\ndata: b\n\n', [{ type: 'message', data: 'b' }]],
];

t.test('a stream is read as the standard says', (t) => {
  for (const [what, stream, events] of rows) t.same(read([stream]), events, what);
  t.end();
});

t.test('it does not matter where a stream is cut into pieces', (t) => {
  const whole = rows.map(([, stream]) => `${stream}\n\n`).join('');
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 30 }), (cuts) => {
      const ends = [...cuts, whole.length].sort((a, b) => a - b);
      const pieces = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
      t.same(read(pieces), read([whole]));
    }),
    { numRuns: 60 },
  );
  t.end();
});
