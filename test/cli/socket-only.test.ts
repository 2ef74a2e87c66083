// The CLI is the operator because it opens the socket (design 10). It reads no token, sends none, and does not use TCP.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer as createTcp } from 'node:net';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('each command that asks the daemon does so on the socket, without a token', async (t) => {
  const daemon = await startDaemon(t);
  await startApp(t, daemon.socket, 'g', [{ name: 'echo', handler: () => 'done' }]);

  // A home whose socket is looked into on its way to the daemon, and whose tokens and TCP port nobody should touch.
  const home = temporaryHome(t);
  const env = { ...process.env, LEO_HOME: home };
  const places = placesOf(env);
  mkdirSync(places.state, { mode: 0o700 });
  let sent = '';
  const spy = createTcp((incoming) => {
    const outgoing = connect(daemon.socket);
    incoming.on('data', (chunk) => {
      sent += chunk.toString('latin1');
    });
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined);
  }).listen(places.socket);
  let calls = 0;
  const trap = createTcp((socket) => {
    calls++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(spy, 'listening'), once(trap, 'listening')]);
  t.teardown(() => {
    spy.close();
    trap.close();
  });
  const address = trap.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { pid, version, epoch, started_at } = daemon;
  const file = { pid, version, epoch, started_at, socket: places.socket, http: `http://127.0.0.1:${port}` };
  writeFileSync(places.daemonFile, JSON.stringify(file));
  // Not a file, so that reading one would fail.
  for (const path of [places.apiToken, places.agentToken]) mkdirSync(path);

  const commands: readonly (readonly [args: readonly string[], asks: boolean])[] = [
    [['status'], true],
    [['tools'], true],
    [['calls'], true],
    [['call', 'echo'], true],
    [['reload'], true],
    [['client', 'add', 'scout', '--can-message', 'rocket'], true],
    [['client', 'list'], false],
    [['client', 'rotate', 'scout'], true],
    [['client', 'remove', 'scout'], true],
    [['device', 'add', 'phone'], true],
    [['device', 'list'], false],
    [['device', 'remove', 'phone'], true],
  ];
  for (const [args, asks] of commands) {
    sent = '';
    const ran = await runLeo(t, env, ...args);
    t.equal(ran.code, 0, `leo ${args.join(' ')}: ${ran.stderr}`);
    t.equal(sent !== '', asks, `leo ${args.join(' ')} ${asks ? 'asks' : 'does not ask'}`);
    t.notMatch(sent.toLowerCase(), /authorization|bearer/, `leo ${args.join(' ')} sends no token`);
  }
  sent = '';
  const events = startLeo(t, env, 'events');
  await until('the events are asked for', () => sent.includes('/api/v1/events'));
  t.notMatch(sent.toLowerCase(), /authorization|bearer/);
  events.child.kill('SIGINT');
  await events.ended;
  t.equal(calls, 0, 'nothing came over TCP');
});
