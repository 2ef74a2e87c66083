// Streams that cannot be believed, from a stand-in for the daemon: they are given up for new ones.

import { createServer, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { connect } from '../../../lib/app/index.js';
import { testApp } from '../../support/test-app.js';

const hello = (seq: number, heartbeat_s = 15) =>
  `id: e-${seq}\nevent: hello\ndata: {"seq":${seq},"client_id":"c_stand_in_1","epoch":"e","version":"0","heartbeat_s":${heartbeat_s},"features":[],"requests":[]}\n\n`;

/** A server whose nth stream does what the nth function says; the last one says it for all that follow. */
async function standIn(
  t: Test,
  ...streams: readonly ((response: ServerResponse) => void)[]
): Promise<string> {
  let opened = 0;
  const server = createServer((_request, response) => {
    const behave = streams[Math.min(opened++, streams.length - 1)];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    behave?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

t.test('a stream that is silent for two and a half heartbeats is given up', async (t) => {
  const url = await standIn(
    t,
    (response) => void response.write(hello(1, 0.2)),
    (response) => void response.write(hello(1)),
  );
  const { told } = await testApp(t, { url });
  t.match((await told('reconnecting')).reason, { code: 'unreachable', message: /silent/ });
  await told('connected', 2);
});

t.test('comments keep a stream alive', async (t) => {
  let beats = 0;
  const url = await standIn(
    t,
    (response) => {
      response.write(hello(1, 0.5));
      const timer = setInterval(() => {
        response.write(': beat\n\n');
        if (++beats === 20) response.end();
      }, 200);
      response.on('close', () => clearInterval(timer));
    },
    (response) => void response.write(hello(1)),
  );
  const { told } = await testApp(t, { url });
  t.match((await told('reconnecting')).reason, { message: /ended the stream/ });
  t.equal(beats, 20);
});

t.test('a stream with a gap is given up', async (t) => {
  const url = await standIn(
    t,
    (response) =>
      void response.write(
        `${hello(7)}id: e-8\nevent: of_a_newer_daemon\ndata: {}\n\nid: e-10\nevent: x\ndata: {}\n\n`,
      ),
    (response) => void response.write(hello(11)),
  );
  const { told } = await testApp(t, { url, wait: true });
  t.match((await told('reconnecting')).reason, { message: 'the stream went from event 8 to 10' });
  await told('connected', 2);
});

t.test('what does not begin with hello, or sends no events, is not Leo', async (t) => {
  const url = await standIn(t, (response) => void response.write('id: e-1\nevent: x\ndata: {}\n\n'));
  await t.rejects(connect({ url }), { code: 'unreachable', message: /hello/ });
  const page = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  t.teardown(() => page.close());
  const address = page.address();
  const other = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  await t.rejects(connect({ url: other }), { code: 'unreachable', message: /not Leo/ });
});
