import t from 'tap';
import { readUpgradeAnswer, upgradeRequest } from '../../../lib/gateway/link/handshake.js';

// The example of RFC 6455, section 1.3.
const key = 'dGhlIHNhbXBsZSBub25jZQ==';
const accepted =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';

t.test('an accepted upgrade is open, and what follows it belongs to the frames', async (t) => {
  t.match(readUpgradeAnswer(Buffer.from(`${accepted}rest`), key), {
    kind: 'open',
    rest: Buffer.from('rest'),
  });
  t.match(readUpgradeAnswer(Buffer.from(accepted.slice(0, 60)), key), { kind: 'more' });
});

t.test('anything else is refused in words', async (t) => {
  for (const [answer, reason] of [
    ['HTTP/1.1 401 Unauthorized\r\n\r\n{"ok":false,"error":"no token"}', /HTTP 401: .*no token/],
    [accepted.replace('s3p', 'xxx'), /does not speak WebSocket/],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', /does not speak WebSocket/],
    [`SSH-2.0-OpenSSH${' '.repeat(20_000)}`, /no Leo daemon/],
  ] as const) {
    t.match(readUpgradeAnswer(Buffer.from(answer), key), { kind: 'refused', reason });
  }
});

t.test('the token goes into a header and nowhere else', async (t) => {
  const text = upgradeRequest({ host: 'h:1', path: '/p', key, token: 'secret' });
  t.match(text, /^GET \/p HTTP\/1\.1\r\nHost: h:1\r\n[\s\S]*Authorization: Bearer secret\r\n\r\n$/);
  t.notMatch(upgradeRequest({ host: 'h', path: '/p', key, token: undefined }), /Authorization/);
});
