// A caller that is refused and keeps its side of the connection open.

import { connect } from 'node:net';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { until } from '../support/wait.js';

t.test('a refused upgrade is let go of, and does not keep a stopped daemon', async (t) => {
  const daemon = await startDaemon(t);
  const port = Number(new URL(daemon.http).port);
  const refused = [
    `GET /api/v1/gateway HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'this is no HTTP\r\n\r\n',
  ];
  for (const request of refused) {
    let answer = '';
    let closed = false;
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    t.teardown(() => caller.destroy());
    caller.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    caller
      .on('error', () => undefined)
      .on('close', () => {
        closed = true;
      });
    caller.write(request);
    await until('it is answered', () => answer.includes('"ok":false'));
    // Nothing more is read or written here: only the daemon can end the connection.
    await until('the daemon lets go', () => {
      caller.write('x');
      return closed;
    });
  }
  const last = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => last.destroy());
  last.on('error', () => undefined).write(refused[0] ?? '');
  await until('it is refused', () => last.bytesRead > 0 || last.read() !== null);
  t.equal(await daemon.end('SIGTERM'), 0);
});
