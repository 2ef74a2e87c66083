import t from 'tap';
import { EventLog } from '../../../lib/broker/events/event-log.js';
import type { BrokerEvent } from '../../../lib/wire/events.js';
import { requestId } from '../../../lib/wire/ids.js';

const settled = (i: number): BrokerEvent => ({
  type: 'client_tool.settled',
  id: requestId(`r_${i}`),
  outcome: 'ok',
});
const request = (text: string): BrokerEvent => ({
  type: 'client_tool.request',
  request: {
    id: requestId('r_1'),
    agent: 'rocket',
    group: 'g',
    tool: 't',
    arguments: { text },
    timeoutS: 0,
    createdAt: 0,
    deadline: undefined,
    claimedBy: undefined,
  },
});

t.test('an event is written in full and redacted, under one number', async (t) => {
  const log = new EventLog('abc');
  const { seq, full, redacted } = log.append(request('secret'));
  t.equal(seq, 1);
  t.equal(
    full,
    'id: abc-1\nevent: client_tool.request\ndata: {"seq":1,"id":"r_1","agent":"rocket","group":"g","tool":"t","arguments":{"text":"secret"},"timeout_s":0,"created_at":"1970-01-01T00:00:00.000Z","deadline":null}\n\n',
  );
  t.equal(redacted, 'id: abc-1\nevent: client_tool.request\ndata: {"seq":1,"id":"r_1"}\n\n');
});

t.test('a line break in an argument does not break the frame', async (t) => {
  t.equal(new EventLog('abc').append(request('a\n\ndata: b\r')).full.split('\n').length, 5);
});

t.test('a reader that comes back gets what it missed, and anybody else a fresh start', async (t) => {
  const log = new EventLog('abc');
  for (let i = 1; i <= 10; i++) log.append(settled(i));
  const seqs = (lastEventId: string | undefined) => log.since(lastEventId)?.map((frame) => frame.seq);
  t.strictSame(seqs('abc-7'), [8, 9, 10]);
  t.strictSame(seqs('abc-10'), []);
  t.strictSame(seqs('abc-0'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const stale of [
    undefined,
    '',
    'abc',
    'abc-',
    'abc-11',
    'other-7',
    'abc--1',
    'abc-7x',
    '7',
    'abc-999999999999999999',
    'abc-1e1',
  ]) {
    t.equal(seqs(stale), undefined, String(stale));
  }
});

t.test('what is kept is bounded in events and in bytes, and stays contiguous', async (t) => {
  const log = new EventLog('abc');
  for (let i = 1; i <= 20_000; i++) log.append(settled(i));
  const kept = log.since('abc-19000') ?? [];
  t.equal(kept.length, 1000);
  t.ok(kept.every((frame, i) => frame.seq === 19_001 + i));
  t.equal(log.since('abc-18000'), undefined);
  log.append(request('x'.repeat(5 * 1024 * 1024)));
  t.strictSame(log.since('abc-20000'), undefined, 'a frame that fills the ring alone is not kept');
  log.append(settled(1));
  t.equal(log.since('abc-20001')?.length, 1);
});
