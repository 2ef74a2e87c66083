import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  type HarnessTable,
  harnessOf,
  type Treatment,
  type TreatmentSource,
  treatmentOf,
} from '../../../lib/gateway/harness/caps.js';
import { root } from '../../support/daemon.js';

const table: HarnessTable = JSON.parse(readFileSync(join(root, 'harnesscaps.json'), 'utf8'));
const treat = (name: string | undefined, more: Partial<TreatmentSource> = {}): Treatment =>
  treatmentOf({
    table,
    overrides: {},
    name,
    said: undefined,
    listens: false,
    missed: false,
    callTimeoutMs: undefined,
    ...more,
  });

const rows: readonly [name: string | undefined, mode: 'native' | 'fallback'][] = [
  ['claude-code', 'native'],
  ['opencode', 'native'],
  ['gemini-cli-mcp-client', 'native'],
  ['copilot-cli', 'native'],
  ['kilo', 'native'],
  ['codex-mcp-client', 'fallback'],
  ['@cline/core', 'fallback'],
  ['qwen-cli-mcp-client-leo', 'fallback'],
  ['qwen-cli-mcp-client-my-leo.2', 'fallback'],
  [undefined, 'fallback'],
  ['', 'fallback'],
  // Not what was measured: another spelling, a longer name, a proxy in between.
  ['Claude-Code', 'fallback'],
  ['claude-code-router', 'fallback'],
  [' claude-code', 'fallback'],
  ['claude-code (via mcp-remote 0.1.3)', 'fallback'],
  ['codex-mcp-client (via mcp-remote 0.1.3)', 'fallback'],
  ['my-leo', 'fallback'],
  ['__proto__', 'fallback'],
  ['constructor', 'fallback'],
  ['x'.repeat(10_000), 'fallback'],
];
for (const [name, mode] of rows) {
  t.test(`${JSON.stringify(name)?.slice(0, 60)} is served ${mode}`, async (t) =>
    t.equal(treat(name).mode, mode),
  );
}

t.test(
  'root combinators are moved where that was measured to be needed, and where nothing was',
  async (t) => {
    t.equal(treat('claude-code').dropsRootCombinators, true);
    t.equal(treat('opencode').dropsRootCombinators, false);
    t.equal(treat('unknown', { listens: true }).dropsRootCombinators, true);
  },
);

t.test('one that listens for tool changes has shown that it re-lists', async (t) => {
  t.equal(treat('unknown', { listens: true }).mode, 'native');
  t.equal(treat('codex-mcp-client', { listens: true }).mode, 'native');
  t.equal(treat('copilot-cli', { listens: true, missed: true }).mode, 'native');
});

t.test('one that was seen not to re-list gets the fallback', async (t) => {
  t.equal(treat('claude-code', { missed: true }).mode, 'fallback');
});

t.test('the user may say which harness it is, by the name in the table too', async (t) => {
  t.equal(treat('mine', { said: 'claude-code' }).mode, 'native');
  t.equal(treat('claude-code', { said: 'codex' }).callLimit.ms, 300_000);
  t.equal(treat('claude-code', { said: 'codex-mcp-client' }).callLimit.ms, 300_000);
  t.equal(treat('claude-code', { said: 'nobody' }).mode, 'fallback');
  t.equal(
    treat('codex').callLimit.ms,
    60_000,
    'what a harness says of itself is held against clientInfo names',
  );
  const overrides = { codex: { callLimitS: 900 } };
  t.equal(
    treat('codex-mcp-client', { overrides }).callLimit.ms,
    900_000,
    'leo.yaml by the name in the table',
  );
});

t.test('leo.yaml has the last word on the mode', async (t) => {
  const overrides = { 'my-harness': { tools: 'native' }, 'claude-*': { tools: 'fallback' } } as const;
  t.equal(treat('my-harness', { overrides }).mode, 'native');
  t.equal(treat('my-harness', { overrides, missed: true }).mode, 'native');
  t.equal(treat('claude-code', { overrides, listens: true }).mode, 'fallback');
  t.equal(treat('opencode', { overrides }).mode, 'native');
});

t.test(
  'how long a harness waits is as measured, as leo.yaml says, or as the command line says',
  async (t) => {
    const limits: readonly [name: string, ms: number | undefined, progressExtends: boolean][] = [
      ['claude-code', undefined, false],
      ['codex-mcp-client', 300_000, false],
      ['copilot-cli', 180_000, true],
      ['@cline/core', 60_000, false],
      ['unknown', 60_000, false],
    ];
    for (const [name, ms, progressExtends] of limits)
      t.strictSame(treat(name).callLimit, { ms, progressExtends }, name);
    const overrides = {
      'codex-*': { callLimitS: 900 },
      opencode: { callLimitS: null, progressExtends: false },
    };
    t.strictSame(treat('codex-mcp-client', { overrides }).callLimit, { ms: 900_000, progressExtends: false });
    t.strictSame(treat('opencode', { overrides }).callLimit, { ms: undefined, progressExtends: false });
    t.equal(treat('opencode', { overrides }).mode, 'native', 'what leo.yaml does not say is as measured');
    t.equal(treat('codex-mcp-client', { overrides, callTimeoutMs: 5000 }).callLimit.ms, 5000);
    t.equal(treat('claude-code', { callTimeoutMs: 5000 }).callLimit.ms, 5000);
  },
);

t.test('every entry says when and on which version it was measured', async (t) => {
  for (const entry of table.harnesses) {
    t.match(entry, { names: Array, version: /^\d+\.\d+\.\d+$/, measured: /^\d{4}-\d\d-\d\d$/ });
  }
});

t.test('whatever clientInfo holds becomes something that the broker can be told', async (t) => {
  for (const [info, harness] of [
    [undefined, null],
    [null, null],
    ['claude', null],
    [{}, null],
    [{ name: '' }, null],
    [{ name: 7, version: 8 }, null],
    [{ name: 'x' }, { name: 'x', version: '' }],
    [
      { name: '\u001b[31mred\u0000', version: '1\n2' },
      { name: '[31mred', version: '1 2' },
    ],
    [
      { name: 'n'.repeat(10_240), version: '1' },
      { name: 'n'.repeat(200), version: '1' },
    ],
    [
      { name: 'lone \ud800', version: '1' },
      { name: 'lone \ufffd', version: '1' },
    ],
  ] as const) {
    t.strictSame(harnessOf(info), harness);
  }
});
