// What is counted, and how it is written down.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { exposition } from '../../../lib/broker/metrics/exposition.js';
import { harnessLabel, labelledHarnesses } from '../../../lib/broker/metrics/harness-label.js';
import { Histogram } from '../../../lib/broker/metrics/histogram.js';
import { Metrics } from '../../../lib/broker/metrics/metrics.js';
import type { OpenRequest } from '../../../lib/wire/bodies/calls.js';
import { clientId, requestId } from '../../../lib/wire/ids.js';
import { root } from '../../support/daemon.js';
import { readExposition } from '../../support/exposition.js';

t.test('what took exactly a bound is in its bucket, and what is over all of them in the last', async (t) => {
  const histogram = new Histogram([0.5, 1, 2]);
  for (const seconds of [0, 0.5, 0.6, 1, 2.5, -3]) histogram.observe(seconds);
  t.strictSame(histogram.cumulative, [3, 5, 5]);
  t.equal(histogram.count, 6);
  t.equal(histogram.sum, 4.6);
});

t.test('the text has help, type and samples of each family, with labels escaped', async (t) => {
  const histogram = new Histogram([0.5, 1]);
  histogram.observe(0.75);
  t.equal(
    exposition([
      {
        name: 'a_total',
        help: 'one\ntwo \\',
        type: 'counter',
        samples: [{ value: 1 }, { labels: { x: 'a"b\\c\nd', y: '' }, value: 0.5 }],
      },
      { name: 'b_seconds', help: 'b', type: 'histogram', histogram },
      { name: 'none', help: 'c', type: 'gauge', samples: [] },
    ]),
    [
      '# HELP a_total one\\ntwo \\\\',
      '# TYPE a_total counter',
      'a_total 1',
      'a_total{x="a\\"b\\\\c\\nd",y=""} 0.5',
      '# HELP b_seconds b',
      '# TYPE b_seconds histogram',
      'b_seconds_bucket{le="0.5"} 0',
      'b_seconds_bucket{le="1"} 1',
      'b_seconds_bucket{le="+Inf"} 1',
      'b_seconds_sum 0.75',
      'b_seconds_count 1',
      '# HELP none c',
      '# TYPE none gauge',
      '',
    ].join('\n'),
  );
});

t.test('a harness is labelled by the table of harnesses, and any other is one', async (t) => {
  const { harnesses } = JSON.parse(readFileSync(join(root, 'harnesscaps.json'), 'utf8')) as {
    readonly harnesses: readonly { readonly name: string; readonly names: readonly string[] }[];
  };
  t.strictSame(
    labelledHarnesses,
    harnesses.flatMap(({ name, names }) => names.map((pattern) => [name, pattern])),
  );
  for (const [label, pattern] of labelledHarnesses) t.equal(harnessLabel(pattern.replace('*', 'x')), label);
  t.equal(harnessLabel('my-harness'), 'other');
  t.equal(harnessLabel('Claude-Code'), 'other');
  t.equal(harnessLabel(undefined), 'unknown');
});

t.test('a call that is told of again is one call, and its first claim counts', async (t) => {
  const metrics = new Metrics();
  const id = requestId('r_1');
  const request: OpenRequest = {
    id,
    agent: 'rocket',
    group: 'g',
    tool: 'look',
    arguments: {},
    timeoutS: 0,
    createdAt: 1000,
    deadline: undefined,
    claimedBy: undefined,
  };
  for (const now of [3000, 60_000]) {
    metrics.published({ type: 'client_tool.request', request }, now);
    metrics.published({ type: 'client_tool.claimed', id, clientId: clientId('c_1') }, now);
  }
  metrics.published({ type: 'client_tool.settled', id, outcome: 'ok' }, 61_000);
  const samples = readExposition(
    metrics.text({
      version: '0',
      startedAt: 0,
      residentBytes: 0,
      openCalls: { parked: 0, claimed: 0 },
      streams: { provider: 0, watcher: 0 },
      sessions: [],
      tools: 0,
    }),
  );
  t.equal(samples.get('leo_call_claim_seconds_count'), 1);
  t.equal(samples.get('leo_call_claim_seconds_sum'), 2);
  t.equal(samples.get('leo_call_settle_seconds_count'), 1);
  t.equal(samples.get('leo_call_settle_seconds_sum'), 60);
});
