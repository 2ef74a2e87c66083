import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
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

t.test('answers to requests that came together leave together', async (t) => {
  let turns = 0;
  let answeredIn = -1;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  t.teardown(() => clearImmediate(counting));
  const server = createHttpServer((request, response) => {
    sharesOf.get(request.socket)?.();
    response.end(request.url);
    if (request.url === '/0') answeredIn = turns;
    if (request.url === '/9') response.once('finish', () => t.equal(turns, answeredIn, 'in one turn'));
  });
  const sharesOf = new WeakMap<object, () => void>();
  server.on('connection', (socket) => sharesOf.set(socket, sharedWrites(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  t.teardown(() => client.destroy());
  client.write(Array.from({ length: 10 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: leo\r\n\r\n`).join(''));
  let text = '';
  for await (const chunk of client.setEncoding('utf8')) {
    text += String(chunk);
    if (text.endsWith('/9')) break;
  }
  const answers = [...text.matchAll(/\r\n\r\n(\/\d)/g)].map(([, path]) => path);
  t.same(answers, ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8', '/9'], 'in order');
});
