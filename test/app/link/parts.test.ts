// The pure parts of the link.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { backoffMs } from '../../../lib/app/link/backoff.js';
import { decodePending, decodeStreamEvent, seqOf } from '../../../lib/app/link/stream-events.js';
import { targetFinder } from '../../../lib/app/link/target.js';
import { dataOf, verdictOf } from '../../../lib/app/link/verdict.js';
import { temporaryHome } from '../../support/daemon.js';

t.test('the wait before another attempt is short at first, grows, and is never long', async (t) => {
  t.equal(backoffMs(1, 0), 50);
  t.equal(backoffMs(1, 1), 25);
  t.equal(backoffMs(2, 0), 100);
  t.equal(backoffMs(8, 0), 5000);
  t.equal(backoffMs(1e9, 0), 5000);
});

t.test('what an answer means', async (t) => {
  const meaning = (status: number, body: string) => {
    const verdict = verdictOf(status, body);
    return verdict.is === 'accepted' ? 'accepted' : `${verdict.is} ${verdict.error.code}`;
  };
  t.equal(meaning(200, '{"ok":true}'), 'accepted');
  t.equal(meaning(409, '{"ok":false,"error":"x","code":"already_claimed"}'), 'refused already_claimed');
  t.equal(meaning(404, 'nothing here'), 'refused internal');
  t.equal(meaning(400, '{"ok":false,"error":"x","code":"of_a_newer_daemon"}'), 'refused internal');
  t.equal(meaning(500, '{"ok":false,"error":"x"}'), 'lost internal');
  t.equal(meaning(503, ''), 'lost internal');
  t.same(dataOf('{"ok":true,"data":{"a":1}}'), { a: 1 });
  t.equal(dataOf('[]'), undefined);
});

t.test('only events of the known form are events', async (t) => {
  const request = {
    id: 'r_12345678',
    agent: 'rocket',
    group: 'desk',
    tool: 'note',
    arguments: { a: 1 },
    timeout_s: 120,
    deadline: null,
  };
  const decoded = (type: string, data: unknown) => decodeStreamEvent(type, JSON.stringify(data));
  t.match(decoded('client_tool.request', request), {
    type: 'request',
    request: { id: 'r_12345678', arguments: { a: 1 }, deadline: null, claimedBy: undefined },
  });
  t.equal(decoded('client_tool.request', { ...request, arguments: [] }), undefined);
  t.equal(decoded('client_tool.request', { ...request, id: '../../x' }), undefined);
  t.equal(decoded('client_tool.request', { id: 'r_12345678' }), undefined, 'a redacted one');
  t.equal(decoded('client_tool.settled', { id: 'r_12345678' }), undefined);
  t.equal(decodeStreamEvent('client_tool.cancelled', '{'), undefined);
  t.same(decoded('client_tool.cancelled', { id: 'r_12345678', reason: 'timeout' }), {
    type: 'cancelled',
    id: 'r_12345678',
    reason: 'timeout',
  });
  t.equal(decoded('hello', { epoch: 'e', seq: 0 }), undefined, 'a watcher has no client_id');
  t.match(decoded('hello', { client_id: 'c_12345678', epoch: 'e', seq: 0, requests: [request, 7] }), {
    hello: { clientId: 'c_12345678', heartbeatMs: 15_000, requests: [{ id: 'r_12345678' }] },
  });
  t.equal(seqOf('some-epoch-12'), 12);
  t.equal(seqOf(''), undefined);
  t.same(decodePending(null), []);
  t.equal(
    decodePending({ requests: [{ ...request, claimed_by: 'c_12345678' }] })[0]?.claimedBy,
    'c_12345678',
  );
});

t.test('where the daemon is', async (t) => {
  const home = temporaryHome(t);
  t.match(targetFinder({ url: 'http://127.0.0.1:8370/', token: 'x' }, {})(), {
    origin: 'http://127.0.0.1:8370',
    socket: undefined,
    token: 'x',
  });
  t.equal(targetFinder({ socket: '/a/b.sock' }, {})().socket, '/a/b.sock');
  const find = targetFinder({}, { LEO_HOME: home });
  t.equal(find().socket, join(home, 'state', 'leo.sock'));
  mkdirSync(join(home, 'state'));
  const file = {
    pid: 1,
    version: '',
    epoch: '',
    socket: join(home, 'elsewhere.sock'),
    http: '',
    started_at: '',
  };
  writeFileSync(join(home, 'state', 'daemon.json'), JSON.stringify(file));
  t.equal(find().socket, join(home, 'elsewhere.sock'), 'looked up each time');
  writeFileSync(join(home, 'state', 'daemon.json'), JSON.stringify({ ...file, socket: '/tmp/open.sock' }));
  t.equal(find().socket, join(home, 'state', 'leo.sock'), 'a folder that others may write is not trusted');
  for (const url of ['127.0.0.1:8370', 'ftp://x', 'http://127.0.0.1:8370/api', 'http://u@127.0.0.1/', '']) {
    t.throws(() => targetFinder({ url }, {}), TypeError, url);
  }
  t.throws(() => targetFinder({ url: 'http://127.0.0.1:1', socket: '/x' }, {}), TypeError);
});
