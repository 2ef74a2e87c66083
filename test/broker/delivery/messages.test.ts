// Which agent a message goes to, and when, with real panes behind it.

import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { AgentPane } from '../../../lib/broker/agents/panes/pane.js';
import { ordinaryPatience } from '../../../lib/broker/delivery/deliver.js';
import { Messages } from '../../../lib/broker/delivery/messages.js';
import { readPane } from '../../../lib/broker/delivery/pane.js';
import type { BrokerEvent } from '../../../lib/wire/events.js';
import { root, temporaryHome } from '../../support/daemon.js';
import { noTmux, testTmux } from '../../support/tmux.js';
import { until } from '../../support/wait.js';

const program = join(root, 'build', 'test', 'support', 'line-echo.js');
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~\r`;

async function house(t: Test, ...agents: readonly string[]) {
  const { tmux } = testTmux(t);
  const folder = temporaryHome(t);
  const panes = new Map<string, AgentPane>();
  const known = new Set(agents);
  const attached = new Set<string>();
  const events: BrokerEvent[] = [];
  for (const name of agents) {
    const start = ['new-session', '-d', '-s', name, '-P', '-F', '#{pane_id}', '-x', '100', '-y', '30'];
    const paneId = (await tmux([...start, process.execPath, program, join(folder, name)])).trim();
    await until('the prompt is there', async () =>
      (await readPane(tmux, paneId)).screen.rows.some((row) => row.startsWith('>')),
    );
    const { pid, serverStart } = await readPane(tmux, paneId);
    panes.set(name, { paneId, pid, serverStart, harness: 'custom' });
  }
  const delivered = new EventEmitter();
  let ids = 0;
  const messages = new Messages({
    tmux,
    panes: { paneOf: (name) => panes.get(name) },
    names: () => [...known, ...attached],
    fateOf: (name) => (attached.has(name) ? undefined : 'exited'),
    randomId: () => `id${++ids}`,
    publish: (event) => {
      events.push(event);
      delivered.emit('message');
    },
    patience: { ...ordinaryPatience, unknownMs: 300, busyMs: 5000, settleMs: 50 },
  });
  return {
    messages,
    panes,
    known,
    attached,
    events,
    delivered,
    tmux,
    bytes: (name: string) => readFileSync(join(folder, name), 'utf8'),
    send: (to: string, text: string, shorthand = true) =>
      messages.send({ to, text, from: 'scout', shorthand }),
  };
}

t.test('a message is delivered, answered, and told of without its text', { skip: noTmux }, async (t) => {
  const { send, bytes, events } = await house(t, 'rocket');
  t.strictSame(await send('rocket', 'hello'), { id: 'm_id1', agent: 'rocket', submitted: true });
  t.equal(bytes('rocket'), pasted('[message from scout] hello'));
  t.strictSame(events, [
    { type: 'agent.message', id: 'm_id1', name: 'rocket', from: 'scout', submitted: true },
  ]);
});

t.test('messages at once arrive one after another, each whole', { skip: noTmux }, async (t) => {
  const { send, bytes } = await house(t, 'rocket');
  const texts = Array.from({ length: 6 }, (_, at) => `${at} `.repeat(2000));
  await Promise.all(texts.map((text) => send('rocket', text)));
  t.ok(bytes('rocket') === texts.map((text) => pasted(`[message from scout] ${text}`)).join(''));
});

t.test('two agents are typed to beside one another', { skip: noTmux }, async (t) => {
  const { send, bytes } = await house(t, 'fix', 'fix-2');
  await Promise.all([send('fix', 'one'), send('fix-2', 'two')]);
  t.equal(bytes('fix'), pasted('[message from scout] one'));
  t.equal(bytes('fix-2'), pasted('[message from scout] two'));
});

t.test('when fix has ended, a message to fix does not reach fix-2', { skip: noTmux }, async (t) => {
  const { send, bytes, panes, tmux, known } = await house(t, 'fix', 'fix-2', 'hotfix');
  await tmux(['kill-session', '-t', '=fix']);
  await t.rejects(send('fix', 'to nobody'), { code: 'not_deliverable' }, 'its pane is gone');
  panes.delete('fix');
  await t.rejects(
    send('fix', 'to nobody'),
    { code: 'not_deliverable', message: /fix does not run \(exited\)/ },
    'it is known to be',
  );
  known.delete('fix');
  await t.rejects(send('fix', 'to nobody', false), { code: 'not_found' }, 'nobody remembers it');
  for (const other of ['fix-2', 'hotfix']) t.equal(bytes(other), '');
});

t.test('an agent that ends while a message waits takes it with it', { skip: noTmux }, async (t) => {
  const { send, bytes, panes, delivered } = await house(t, 'fix', 'fix-2');
  const other = panes.get('fix-2');
  if (other === undefined) throw new Error('no pane');
  // Once the first is there, its pane's id is another agent's, as after a restart of tmux.
  delivered.once('message', () => panes.set('fix', { ...other, pid: other.pid + 1 }));
  const first = send('fix', 'one');
  await t.rejects(send('fix', 'two'), { code: 'not_deliverable', message: /fix has ended/ });
  await first;
  t.equal(bytes('fix-2'), '');
});

t.test(
  'a message whose sender lost the right to it while it waited is not typed',
  { skip: noTmux },
  async (t) => {
    const { messages, send, bytes, delivered } = await house(t, 'rocket');
    let allowed = true;
    delivered.once('message', () => {
      allowed = false;
    });
    const first = send('rocket', 'one');
    const message = { to: 'rocket', text: 'two', from: 'docker-scout', shorthand: false };
    await t.rejects(messages.send({ ...message, maySend: () => allowed }), {
      code: 'forbidden',
      message: 'docker-scout may not message rocket any more',
    });
    await first;
    t.equal(bytes('rocket'), pasted('[message from scout] one'));
  },
);

t.test('the end of a name will do, but not for those who were given names', { skip: noTmux }, async (t) => {
  const { send, bytes } = await house(t, 'hotfix');
  t.match(await send('FIX', 'hello'), { agent: 'hotfix' });
  const before = bytes('hotfix');
  await t.rejects(send('fix', 'hello', false), { code: 'not_found' });
  t.equal(bytes('hotfix'), before);
});

t.test('an agent that Leo did not start cannot be typed to, and how it could is said', async (t) => {
  const { send, attached } = await house(t);
  attached.add('outsider');
  await t.rejects(send('outsider', 'hello'), {
    code: 'not_deliverable',
    message: /Leo did not start.*leo agent spawn TEMPLATE --name outsider/,
  });
  await t.rejects(send('nobody', 'hello'), { code: 'not_found' });
});

t.test('a refused message does not hold up the next', { skip: noTmux }, async (t) => {
  const { send, bytes, panes } = await house(t, 'rocket');
  const pane = panes.get('rocket');
  if (pane === undefined) throw new Error('no pane');
  panes.set('rocket', { ...pane, pid: 1 });
  await t.rejects(send('rocket', 'one'), { code: 'not_deliverable' });
  panes.set('rocket', pane);
  await send('rocket', 'two');
  t.equal(bytes('rocket'), pasted('[message from scout] two'));
});

t.test('more messages than a prompt can take are refused at once', { skip: noTmux }, async (t) => {
  const { send, events } = await house(t, 'rocket');
  const sent = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => send('rocket', `${at}`)));
  t.equal(sent.filter(({ status }) => status === 'rejected').length, 4);
  t.equal(events.length, 16);
});
