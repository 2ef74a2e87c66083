import t from 'tap';
import { checkedOutcome } from '../../../lib/broker/check/content.js';
import { imageFault } from '../../../lib/broker/check/image.js';
import type { ContentBlock } from '../../../lib/wire/content.js';
import { LeoError } from '../../../lib/wire/errors.js';
import { images, pngOf } from '../../support/images.js';

const fault = (content: readonly unknown[]) => {
  try {
    checkedOutcome({ ok: true, content: content as readonly ContentBlock[] });
    return undefined;
  } catch (error) {
    return error instanceof LeoError ? `${error.code}: ${error.message}` : String(error);
  }
};
const image = (bytes: Buffer, mimeType: string) => ({
  type: 'image',
  data: bytes.toString('base64'),
  mimeType,
});

t.test('good content passes through unchanged', async (t) => {
  const content = [
    { type: 'text', text: 'hello', annotations: { audience: ['user'] }, _meta: { a: 1 } },
    image(images.png, 'image/png'),
    image(images.jpeg, 'image/jpeg'),
    image(images.gif, 'image/gif'),
    image(images.webp, 'image/webp'),
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'x' } },
    { type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA', mimeType: 'application/octet-stream' } },
  ];
  t.strictSame(checkedOutcome({ ok: true, content }), { ok: true, content });
  t.strictSame(checkedOutcome({ ok: true, content: [] }), { ok: true, content: [] });
});

t.test('lone surrogates are replaced, wherever they stand', async (t) => {
  const { content } = checkedOutcome({
    ok: true,
    content: [{ type: 'text', text: 'a\ud800b', _meta: { 'k\udc00': ['\ud800'] } }],
  }) as { content: unknown };
  t.strictSame(content, [{ type: 'text', text: 'a\ufffdb', _meta: { 'k\ufffd': ['\ufffd'] } }]);
  t.strictSame(checkedOutcome({ ok: false, code: 'x', message: '\ud800' }), {
    ok: false,
    code: 'x',
    message: '\ufffd',
  });
});

t.test('what would poison a conversation is refused, with the place and the reason', async (t) => {
  const bad: [unknown, string][] = [
    [{ type: 'video', data: '' }, '.type: "video" is no MCP content block'],
    [{ type: 'text' }, '.text: must be text'],
    [{ type: 'text', text: '' }, '.text: must not be empty'],
    [{ type: 'text', text: ' \n' }, '.text: must not be empty'],
    [image(images.jpeg, 'image/png'), '.data: the bytes are image/jpeg, not image/png'],
    [{ type: 'image', data: images.png.toString('base64') }, '.mimeType: must be one of'],
    [
      image(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'image/svg+xml'),
      '.data: "image/svg+xml" is not one of',
    ],
    [
      image(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'image/png'),
      '.data: the bytes are no image/png',
    ],
    [image(images.png.subarray(0, 20), 'image/png'), '.data: the bytes are no image/png'],
    [image(Buffer.from('hello'), 'image/png'), '.data: the bytes are no image/png'],
    [image(pngOf(8001, 1), 'image/png'), '.data: the image is 8001 × 1 pixels; at most 8000'],
    [image(pngOf(1, 8001), 'image/png'), '.data: the image is 1 × 8001 pixels; at most 8000'],
    [image(pngOf(0, 1), 'image/png'), '.data: the'],
    [
      image(Buffer.concat([images.png, Buffer.alloc(5 * 1024 * 1024)]), 'image/png'),
      '.data: the image has 524',
    ],
    [
      {
        type: 'image',
        data: `${images.png.toString('base64').slice(0, 8)} ${images.png.toString('base64').slice(8)}`,
        mimeType: 'image/png',
      },
      '.data: is not base64',
    ],
    [
      { type: 'image', data: `${images.png.toString('base64')}!`, mimeType: 'image/png' },
      '.data: is not base64',
    ],
    [
      { type: 'image', data: images.png.toString('base64').replace(/=+$/, ''), mimeType: 'image/png' },
      '.data: is not base64',
    ],
    [
      { type: 'image', data: images.png.toString('base64url'), mimeType: 'image/png' },
      '.data: is not base64',
    ],
    [{ type: 'image', data: '', mimeType: 'image/png' }, '.data: is not base64'],
    [{ type: 'image', data: 5, mimeType: 'image/png' }, '.data: is not base64'],
    [{ type: 'audio', data: 'AAAA', mimeType: 'image/png' }, '.mimeType: must be an audio type'],
    [{ type: 'audio', data: '$', mimeType: 'audio/wav' }, '.data: is not base64'],
    [{ type: 'resource_link', uri: 'not a uri', name: 'a' }, '.uri: must be a URI'],
    [{ type: 'resource_link', uri: 'file:///a' }, '.name: must be text'],
    [{ type: 'resource' }, '.resource: must be an object'],
    [{ type: 'resource', resource: { uri: 'file:///a' } }, '.resource: must have text, or a blob'],
    [{ type: 'resource', resource: { uri: 'file:///a', text: '' } }, '.resource.text: must not be empty'],
    [
      {
        type: 'resource',
        resource: { uri: 'file:///a', blob: images.jpeg.toString('base64'), mimeType: 'image/png' },
      },
      '.resource.blob: the bytes are image/jpeg',
    ],
  ];
  for (const [block, expected] of bad) {
    const found = fault([{ type: 'text', text: 'before' }, block]);
    t.ok(found?.startsWith(`invalid_result: at $.content[1]${expected}`), `${expected} | ${found}`);
  }
  t.match(
    fault([{ type: 'text', text: 'x'.repeat(9 * 1024 * 1024) }]),
    /the result would be a line of \d+ bytes; at most 9437184/,
  );
  t.match(
    fault([{ type: 'text', text: '\u0001'.repeat(2 * 1024 * 1024) }]),
    /the result would be a line of/,
    'escapes count',
  );
  t.match(
    fault([{ type: 'text', text: 'x', _meta: JSON.parse(`${'['.repeat(9999)}${']'.repeat(9999)}`) }]),
    /nests deeper than 128/,
  );
});

t.test('an error must say what went wrong', async (t) => {
  t.throws(() => checkedOutcome({ ok: false, code: 'x', message: ' ' }), { code: 'invalid_result' });
});

t.test('an image at the limits is taken', async (t) => {
  t.equal(imageFault(pngOf(8000, 8000), 'image/png'), undefined);
});
