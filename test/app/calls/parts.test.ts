// The pure parts of a call at the app.

import t from 'tap';
import {
  failure,
  noOutput,
  outcomeOfReturn,
  outcomeOfThrow,
  resultBody,
} from '../../../lib/app/calls/outcome.js';
import { maxProgressMessage, ProgressRelay } from '../../../lib/app/calls/progress-relay.js';
import {
  maxRecentCharacters,
  maxRecentOutcomes,
  RecentOutcomes,
} from '../../../lib/app/calls/recent-outcomes.js';
import { image, imageType, ToolError } from '../../../lib/app/index.js';
import type { Progress } from '../../../lib/wire/bodies/calls.js';
import { requestId } from '../../../lib/wire/ids.js';

t.test('an outcome is written as the body that the wire takes', async (t) => {
  const body = (outcome: Parameters<typeof resultBody>[1]) => JSON.parse(resultBody('c_x"y', outcome));
  t.same(body(outcomeOfReturn('hi')), {
    client_id: 'c_x"y',
    ok: true,
    content: [{ type: 'text', text: 'hi' }],
  });
  t.same(body(outcomeOfReturn(undefined)).content, [{ type: 'text', text: noOutput }]);
  t.same(body(outcomeOfThrow(new ToolError('no_paper', 'empty'))), {
    client_id: 'c_x"y',
    ok: false,
    error: { code: 'no_paper', message: 'empty' },
  });
  t.equal(outcomeOfThrow('plain').message, 'plain');
  t.equal(failure('x', '').message, 'the tool failed and did not say why');
  t.equal(outcomeOfReturn([{ type: 'text', text: 1n }]).code, 'invalid_result');
  t.throws(() => new ToolError('No Paper', ''), TypeError);
});

t.test('recent outcomes are bounded in number and in size, the oldest going first', async (t) => {
  const many = new RecentOutcomes();
  const key = (n: number) => requestId(`r_recent_${n}`);
  for (let n = 0; n <= maxRecentOutcomes; n++) many.keep(key(n), failure('x', String(n)));
  t.equal(many.get(key(0)), undefined);
  t.equal(many.get(key(1))?.message, '1');
  const large = new RecentOutcomes();
  const big = { code: 'ok', message: undefined, json: 'x'.repeat(maxRecentCharacters - 10) };
  large.keep(key(1), failure('x', 'small'));
  large.keep(key(2), big);
  t.equal(large.get(key(1)), undefined);
  t.equal(large.get(key(2)), big);
  large.keep(key(2), big);
  t.equal(large.get(key(2)), big, 'the same call twice counts once');
  large.forget(key(2));
  large.keep(key(3), failure('x', 'small'));
  t.equal(large.get(key(3))?.message, 'small');
});

t.test('of reports that come while one is under way only the latest is sent', async (t) => {
  const sent: Progress[] = [];
  const answers: (() => void)[] = [];
  const relay = new ProgressRelay((progress) => {
    sent.push(progress);
    return new Promise<void>((resolve) => answers.push(resolve));
  });
  relay.tell(1);
  relay.tell(2, 9);
  relay.tell(3, 9, 'm'.repeat(2000));
  answers.shift()?.();
  await new Promise(setImmediate);
  answers.shift()?.();
  await new Promise(setImmediate);
  relay.tell(4);
  t.same(sent, [
    { progress: 1 },
    { progress: 3, total: 9, message: 'm'.repeat(maxProgressMessage) },
    { progress: 4 },
  ]);
});

t.test('an image is told by its bytes', async (t) => {
  const rows: readonly [string, Buffer, string | undefined][] = [
    ['png', Buffer.from('89504e470d0a1a0a00', 'hex'), 'image/png'],
    ['jpeg', Buffer.from('ffd8ffe000', 'hex'), 'image/jpeg'],
    ['gif', Buffer.from('GIF89a..'), 'image/gif'],
    ['old gif', Buffer.from('GIF87a..'), 'image/gif'],
    ['webp', Buffer.from('RIFF....WEBPVP8 '), 'image/webp'],
    ['wave', Buffer.from('RIFF....WAVEfmt '), undefined],
    ['svg', Buffer.from('<svg/>'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
    ['half a png', Buffer.from('89504e47', 'hex'), undefined],
  ];
  for (const [name, bytes, type] of rows) t.equal(imageType(bytes), type, name);
  const view = new Uint8Array(Buffer.from('..GIF89a!')).subarray(2);
  t.same(image(view), {
    type: 'image',
    data: Buffer.from('GIF89a!').toString('base64'),
    mimeType: 'image/gif',
  });
  t.throws(() => image(Buffer.from('text')), TypeError);
});
