import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import t from 'tap';
import { sharedWrites } from '../../lib/wire/shared-writes.js';

t.test('a connection that is ended while its writes are held back sends them, and its end', async (t) => {
  for (const [what, last] of [
    ['with a last word', 'bye'],
    ['without', undefined],
  ] as const) {
    const server = createServer((socket) => {
      const hold = sharedWrites(socket);
      hold();
      socket.write('one ');
      hold();
      socket.write('two ');
      if (last === undefined) socket.end();
      else socket.end(last);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const address = server.address();
    const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    t.teardown(() => client.destroy());
    let text = '';
    for await (const chunk of client.setEncoding('utf8')) text += String(chunk);
    t.equal(text, `one two ${last ?? ''}`, what);
  }
});
