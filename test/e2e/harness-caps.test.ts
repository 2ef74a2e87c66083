// A table of the user's own over the built-in one, in a real gateway (design 8).

import { writeFileSync } from 'node:fs';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { Gateway } from '../support/gateway.js';
import { until } from '../support/wait.js';

const own = ['leo_app_wait', 'leo_list_agents', 'leo_send_message'];
const native = ['leo_app_wait', 'leo_list_agents', 'leo_send_message', 'snap'];
const pair = ['leo_app_call', 'leo_app_tools', ...own];

const daemon = await startDaemon(t);
await startApp(t, daemon.socket, 'demo', [{ name: 'snap', handler: () => 'done' }]);
const file = placesOf(daemon.env).harnessCaps;

t.test('an entry of the user decides, for a known harness and a new one', async (t) => {
  const harnesses = [
    { name: 'codex', relists: true },
    { name: 'mine', names: ['my-*'], relists: true },
  ];
  writeFileSync(file, JSON.stringify({ format: 1, harnesses }));
  for (const [name, tools] of [
    ['codex-mcp-client', native],
    ['my-harness', native],
    ['claude-code', native],
    ['unknown', pair],
  ] as const) {
    const gateway = Gateway.start(t, { home: daemon.home });
    await gateway.initialize(name);
    await gateway.reached();
    t.strictSame(await gateway.toolNames(), tools, name);
    t.equal(gateway.stderr, '');
  }
});

const faults: readonly [what: string, text: string, warning: RegExp][] = [
  ['empty', '', /warning: .*harnesscaps\.json is empty: remove it; until then the built-in table serves/],
  ['broken', '{"format": 1, "harnesses": [{]}', /harnesscaps\.json.* is not JSON: .*; mend it; until then/],
  [
    'from the future',
    '{"format": 2, "tables": []}',
    /is of format 2.*: update Leo, or move the file away; until/,
  ],
  [
    'wrong in a place',
    '{"format": 1, "harnesses": [{"name": "codex", "relists": "yes"}]}',
    /at \$\.harnesses\[0\]\.relists \(codex\): must be boolean; mend it; until then/,
  ],
];
for (const [what, text, warning] of faults) {
  t.test(`with a table that is ${what} the built-in one serves, and stderr says why`, async (t) => {
    writeFileSync(file, text);
    const known = Gateway.start(t, { home: daemon.home });
    await known.initialize('claude-code');
    await known.reached();
    t.strictSame(await known.toolNames(), native);
    await until('stderr says it', () => known.stderr !== '');
    t.match(known.stderr, warning);
    const other = Gateway.start(t, { home: daemon.home });
    await other.initialize('codex-mcp-client');
    await other.reached();
    t.strictSame(await other.toolNames(), pair);
  });
}
