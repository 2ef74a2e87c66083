import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { runLeo, startLeo } from '../support/run-leo.js';
import { until } from '../support/wait.js';

t.test('events follows what happens without an argument or a result', async (t) => {
  const daemon = await startDaemon(t);
  const people = startLeo(t, daemon.env, 'events');
  const machines = startLeo(t, daemon.env, 'events', '--json');
  await until(
    'both are told hello',
    () => people.stdout().includes('hello') && machines.stdout().includes('hello'),
  );
  await startApp(t, daemon.socket, 'secrets', [
    { name: 'tell', inputSchema: { type: 'object' }, handler: () => 'the answer is rosebud' },
  ]);
  await runLeo(t, daemon.env, 'call', 'tell', '--args', '{"question":"xanadu"}');
  const stopped = () =>
    people.stdout().includes('agent.stopped') && machines.stdout().includes('agent.stopped');
  await until('both saw the agent stop', stopped);

  const text = people.stdout();
  t.match(text, /^\d\d:\d\d:\d\d hello .*epoch=\S+/m);
  t.match(text, /^\d\d:\d\d:\d\d client_tools\.changed revision=\d+ tools=\["tell"\]$/m);
  t.match(text, /^\d\d:\d\d:\d\d agent\.started name=cli /m);
  t.match(text, /^\d\d:\d\d:\d\d client_tool\.request id=r_\S+$/m);
  t.match(text, /^\d\d:\d\d:\d\d client_tool\.settled id=r_\S+ outcome=ok$/m);
  const events = machines
    .stdout()
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  t.match(events[0], { event: 'hello', data: { epoch: daemon.epoch } });
  for (const event of events) t.match(event, { event: String, id: /^\S+-\d+$/, data: Object });
  for (const secret of ['rosebud', 'xanadu']) {
    t.notMatch(text, secret);
    t.notMatch(machines.stdout(), secret);
  }
});

t.test('events waits for a daemon that goes away, and goes on with the next', async (t) => {
  const daemon = await startDaemon(t);
  const events = startLeo(t, daemon.env, 'events', '--json');
  await until('it is told hello', () => events.stdout().includes(daemon.epoch));
  await daemon.end('SIGTERM');
  await until('it says that the daemon is gone', () =>
    events.stderr().includes('the daemon is gone; waiting'),
  );
  const next = await startDaemon(t, { home: daemon.home });
  await until('it is told hello again', () => events.stdout().includes(next.epoch));
});

t.test('events ends quietly when nobody reads it any more', async (t) => {
  const daemon = await startDaemon(t);
  const events = startLeo(t, daemon.env, 'events');
  await until('it is told hello', () => events.stdout().includes('hello'));
  events.child.stdout?.destroy();
  await startApp(t, daemon.socket, 'any', [{ name: 'any', handler: () => 'any' }]);
  t.match(await events.ended, { code: 0, stderr: '' });
});
