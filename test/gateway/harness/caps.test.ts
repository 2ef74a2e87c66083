import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type HarnessTable, harnessOf, treatmentOf } from '../../../lib/gateway/harness/caps.js';
import { root } from '../../support/daemon.js';

const table: HarnessTable = JSON.parse(readFileSync(join(root, 'harnesscaps.json'), 'utf8'));

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
    t.equal(treatmentOf(table, {}, name, false).mode, mode),
  );
}

t.test('only where it was measured are root combinators moved', async (t) => {
  t.equal(treatmentOf(table, {}, 'claude-code', false).dropsRootCombinators, true);
  t.equal(treatmentOf(table, {}, 'opencode', false).dropsRootCombinators, false);
  t.equal(treatmentOf(table, {}, 'unknown', true).dropsRootCombinators, false);
});

t.test('one that listens for tool changes has shown that it re-lists', async (t) => {
  t.equal(treatmentOf(table, {}, 'unknown', true).mode, 'native');
  t.equal(treatmentOf(table, {}, 'codex-mcp-client', true).mode, 'native');
});

t.test('leo.yaml has the last word', async (t) => {
  const overrides = { 'my-harness': { tools: 'native' }, 'claude-*': { tools: 'fallback' } } as const;
  t.equal(treatmentOf(table, overrides, 'my-harness', false).mode, 'native');
  t.equal(treatmentOf(table, overrides, 'claude-code', true).mode, 'fallback');
  t.equal(treatmentOf(table, overrides, 'opencode', false).mode, 'native');
});

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
