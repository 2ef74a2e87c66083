// GET /metrics of a real daemon, after calls with every outcome.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { readExposition } from '../support/exposition.js';
import { Gateway } from '../support/gateway.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { rawHttp } from '../support/raw-http.js';
import { until } from '../support/wait.js';

const daemon = await startDaemon(t, { config: 'deny_tools: ["secret_*"]\n' });
const requests = '/api/v1/client-tools/requests';
const scrape = async () => {
  const answer = await http(daemon.socket, '/metrics');
  t.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  return readExposition(String(answer.body.unparsed));
};

t.test('every outcome of a call is counted, and how long it took', async (t) => {
  const before = await scrape();
  t.equal(before.get('leo_calls_total{outcome="ok"}'), 0, 'before the first call');
  const { stream, clientId } = await EventStream.app(t, daemon.socket);
  const tool = (name: string, timeout_s: number) => ({
    name,
    description: name,
    input_schema: { type: 'object' },
    timeout_s,
  });
  const tools = [tool('look', 60), tool('hurry', 1), tool('secret_look', 60)];
  t.equal(
    (await post(daemon.socket, '/api/v1/client-tools', { client_id: clientId, group: 'g', tools })).status,
    200,
  );
  const agent = await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  const park = (id: string, name: string) => agent.park(id, name, {});
  const answer = async (id: string, body: object) => {
    const claimed = await post(daemon.socket, `${requests}/${id}/claim`, { client_id: clientId });
    t.equal(claimed.status, 200, JSON.stringify(claimed.body));
    await post(daemon.socket, `${requests}/${id}/result`, { client_id: clientId, ...body });
  };
  for (const [id, name] of [
    ['r_metrics_ok', 'look'],
    ['r_metrics_failed', 'look'],
    ['r_metrics_app_timeout', 'look'],
    ['r_metrics_cancelled', 'look'],
    ['r_metrics_operator', 'look'],
    ['r_metrics_timeout', 'hurry'],
    ['r_metrics_denied', 'secret_look'],
    ['r_metrics_nobody', 'nothing'],
    ['r_metrics_open', 'look'],
    ['r_metrics_claimed', 'look'],
  ] as const)
    park(id, name);
  await until(
    'all are parked',
    () => stream.events.filter(({ event }) => event === 'client_tool.request').length === 8,
  );
  await answer('r_metrics_ok', { ok: true, content: [{ type: 'text', text: 'seen' }] });
  await answer('r_metrics_failed', { ok: false, error: { code: 'camera_broken', message: 'no' } });
  await answer('r_metrics_app_timeout', { ok: false, error: { code: 'timeout', message: 'mine' } });
  agent.notify('call/cancel', { id: 'r_metrics_cancelled' });
  t.equal((await post(daemon.socket, `${requests}/r_metrics_operator/cancel`, {})).status, 200);
  t.equal(
    (await post(daemon.socket, `${requests}/r_metrics_claimed/claim`, { client_id: clientId })).status,
    200,
  );
  for (const id of ['r_metrics_timeout', 'r_metrics_denied', 'r_metrics_nobody', 'r_metrics_cancelled'])
    await agent.response(id);
  const samples = await scrape();
  const outcomes = {
    ok: 1,
    failed: 2,
    cancelled: 2,
    timeout: 1,
    denied: 1,
    no_client: 1,
    invalid_arguments: 0,
  };
  for (const [outcome, count] of Object.entries(outcomes))
    t.equal(samples.get(`leo_calls_total{outcome="${outcome}"}`), count, outcome);
  t.equal(samples.get('leo_calls_open{state="parked"}'), 1);
  t.equal(samples.get('leo_calls_open{state="claimed"}'), 1);
  t.equal(samples.get('leo_call_claim_seconds_count'), 4);
  t.equal(samples.get('leo_call_settle_seconds_count'), 6);
  t.equal(samples.get('leo_call_settle_seconds_bucket{le="86400"}'), 6);
  t.ok((samples.get('leo_call_settle_seconds_sum') ?? 0) >= 1, 'one timed out after a second');
  t.equal(samples.get('leo_streams{kind="provider"}'), 1);
  t.equal(samples.get('leo_tools'), 3);
  t.equal(samples.get('leo_sessions{harness="other",mode="native"}'), 1, 'by no name of its own');
  stream.close();
  await until(
    'its calls have ended',
    async () => (await scrape()).get('leo_calls_total{outcome="no_client"}') === 3,
  );
});

t.test('what is refused is counted by its code, and a change that a gateway has told of', async (t) => {
  const before = await scrape();
  const grown = async (name: string) => ((await scrape()).get(name) ?? 0) - (before.get(name) ?? 0);
  await http(daemon.http, '/metrics');
  await http(daemon.http, '/metrics', { headers: { authorization: 'Bearer nobody' } });
  await http(daemon.socket, '/nowhere');
  t.equal(await grown('leo_requests_refused_total{code="unauthorized"}'), 2);
  t.equal(await grown('leo_requests_refused_total{code="not_found"}'), 1);
  t.equal(before.get('leo_requests_refused_total{code="too_large"}'), 0, 'of every code, before its first');
  // An upgrade, and what is no HTTP at all.
  const upgrade = 'Host: leo\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  await rawHttp(daemon.socket, `GET /api/v1/gateway HTTP/1.1\r\nAuthorization: Bearer nobody\r\n${upgrade}`);
  t.equal(await grown('leo_requests_refused_total{code="unauthorized"}'), 3);
  await rawHttp(daemon.socket, `GET /api/v1/gateway HTTP/1.1\r\n${upgrade}`);
  await rawHttp(daemon.socket, 'hello\r\n\r\n');
  t.equal(await grown('leo_requests_refused_total{code="invalid_request"}'), 2);
  t.match(daemon.log(), /^refused: unauthorized upgrade \/api\/v1\/gateway unknown$/m);
  const gateway = Gateway.start(t, { home: daemon.home });
  await gateway.initialize('claude-code');
  await gateway.toolNames();
  await gateway.reached();
  const { clientId } = await EventStream.app(t, daemon.socket);
  const tools = [{ name: 'snap', description: 'x', input_schema: { type: 'object' }, timeout_s: 60 }];
  await post(daemon.socket, '/api/v1/client-tools', { client_id: clientId, group: 'g', tools });
  await until('it is told', () => gateway.notifications('notifications/tools/list_changed')[0]);
  await until('it is counted', async () => (await grown('leo_list_changed_total')) > 0);
  t.equal((await scrape()).get('leo_sessions{harness="claude-code",mode="native"}'), 1);
});

t.test('each metric stands in docs/operators.md, and no other', async (t) => {
  const page = readFileSync(join(root, 'docs', 'operators.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## Metrics\n')).split('\n## ')[1] ?? '';
  const listed = [...section.matchAll(/^\| `([a-z_]+)(?:\{[^`]*\})?` /gm)].map(([, name]) => name);
  const text = String((await http(daemon.socket, '/metrics')).body.unparsed);
  t.strictSame(
    listed,
    [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
  );
});
