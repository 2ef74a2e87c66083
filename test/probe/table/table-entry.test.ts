import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  type HarnessEntry,
  type HarnessOverlay,
  parseHarnessCaps,
  parseHarnessOverlay,
  type ServingCaps,
} from '../../../lib/config/harness-caps.js';
import { unknownHarness } from '../../../lib/config/unknown-harness.js';
import type { Sections } from '../../../lib/probe/figure.js';
import type { HarnessReport } from '../../../lib/probe/probe.js';
import { servingOf, withReports } from '../../../lib/probe/table/table-entry.js';
import { root } from '../../support/daemon.js';

const table = parseHarnessCaps(readFileSync(join(root, 'harnesscaps.json'), 'utf8'), 'x');

/** Sections of which only the values matter. */
function sections(values: Readonly<Record<string, Readonly<Record<string, string>>>>): Sections {
  return Object.fromEntries(
    Object.entries(values).map(([name, cells]) => [
      name,
      Object.fromEntries(
        Object.entries(cells).map(([cell, value]) => [cell, { value, evidence: `seen: ${value}` }]),
      ),
    ]),
  );
}

const before: ServingCaps = {
  ...unknownHarness,
  relists: false,
  drops_root_combinators: false,
  drops_empty_description: false,
  description_limit: 2048,
  call_limit_s: 300,
  naming: { form: 'old_{server}_{tool}', replaced: {}, limit: null },
};

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;
const rows: readonly [what: string, Values, Partial<ServingCaps>][] = [
  ['nothing was measured', {}, {}],
  ['it lists again', { relisting: { 'same turn': 'yes' } }, { relists: true }],
  ['it does in a session', { relisting: { 'same turn, in a session': 'yes' } }, { relists: true }],
  [
    'one turn is believed before a session',
    { relisting: { 'same turn': 'no', 'same turn, in a session': 'yes' } },
    { relists: false },
  ],
  [
    'one combinator is enough',
    { schemas: { 'root anyOf': 'same', 'root allOf': 'tool dropped' } },
    { drops_root_combinators: true },
  ],
  ['no combinator is dropped', { schemas: { 'root anyOf': 'same' } }, { drops_root_combinators: false }],
  [
    'empty descriptions are dropped',
    { schemas: { 'empty description': 'tool dropped' } },
    { drops_empty_description: true },
  ],
  [
    'a description is cut',
    {
      schemas: {
        'description of 5,000': 'description cut from 5002 to 1024 characters, then …; $.x removed',
      },
    },
    { description_limit: 1024 },
  ],
  ['a description is not cut', { schemas: { 'description of 5,000': 'same' } }, { description_limit: null }],
  ['a limit was reached', { limits: { 'default limit': '59.6 s' } }, { call_limit_s: 60 }],
  [
    'a limit was not reached within the wait: a longer one stays',
    { limits: { 'default limit': 'none up to 190 s' } },
    { call_limit_s: 300 },
  ],
  [
    'a limit was not reached within a wait that is longer than it',
    { limits: { 'default limit': 'none up to 700 s' } },
    { call_limit_s: null },
  ],
  ['progress extends', { limits: { 'progress extends it': 'yes' } }, { progress_extends: true }],
  [
    'progress cannot extend',
    { limits: { 'progress extends it': 'impossible, no progressToken' } },
    { progress_extends: false },
  ],
  [
    'tokens and cancels',
    { handshake: { 'progressToken in tools/call': 'no', 'cancels calls that were answered': 'yes' } },
    { sends_progress_token: false, cancels_after_answers: true },
  ],
  [
    'an image arrives somewhere',
    { results: { 'image block': 'yes, in a message of the user' } },
    { passes_images: true },
  ],
  [
    'an image arrives as text',
    { results: { 'image block': 'as base64 in the text' } },
    { passes_images: false },
  ],
  [
    'environment and instructions',
    {
      environment: { 'LEO_AGENT of the harness arrives': 'yes' },
      instructions: { 'offered to the model': 'no' },
    },
    { passes_environment: true, shows_instructions: false },
  ],
  [
    'names in two parts, with characters replaced, and cut',
    {
      names: {
        my_tool: 'mcp__leo + my_tool',
        '64 characters': 'kept (76)',
        '100 characters': 'kept (112)',
        '128 characters': `mcp__leo + ${'n'.repeat(107)}_0123456789ab`,
        dot: 'mcp__leo + with_dot',
        slash: 'mcp__leo + with_slash',
        dash: 'mcp__leo + with_dash',
      },
    },
    {
      naming: { form: 'mcp__{server}{tool}', replaced: { '.': '_', '/': '_', '-': '_' }, limit: 128 },
    },
  ],
  [
    'names that are kept',
    { names: { my_tool: 'mcp_leo_my_tool', '64 characters': 'kept (72)', dot: 'mcp_leo_with.dot' } },
    { naming: { form: 'mcp_{server}_{tool}', replaced: {}, limit: null } },
  ],
  ['the plain tool was dropped', { names: { my_tool: 'tool dropped', dot: 'leo_with_dot' } }, {}],
];
for (const [what, values, changed] of rows) {
  t.test(`what decides the serving is read off the cells: ${what}`, async (t) => {
    t.match(servingOf(sections(values), before), { ...before, ...changed });
  });
}

const report = (more: Partial<HarnessReport>): HarnessReport => ({
  name: 'codex',
  program: '/bin/codex',
  version: '9.9.9',
  measured: '2026-12-31',
  sections: {},
  failures: [],
  ...more,
});
const codexOf = (entries: readonly HarnessEntry[]) => entries.find(({ name }) => name === 'codex');

t.test('a report of nothing changes nothing', async (t) => {
  t.strictSame(withReports(table, table.harnesses, [report({})]), table);
  t.strictSame(withReports(table, table.harnesses, []), table);
});

t.test('what was measured replaces; what was not stays with the day and version that it had', async (t) => {
  const old = {
    ...table,
    harnesses: table.harnesses.map((entry) => ({
      ...entry,
      version: '1.0.0',
      measured: '2026-01-01',
      figures: {
        results: { 'image block': { value: 'no', evidence: 'e' } },
        relisting: {
          'same turn': { value: 'no' },
          'next turn': { value: 'no', version: '0.9.0', measured: '2025-12-31' },
        },
      },
    })),
  };
  const long = 'm'.repeat(1000);
  const made = withReports(old, table.harnesses, [
    report({
      sections: {
        relisting: { 'same turn': { value: 'yes', evidence: long } },
        handshake: { 'first message': { value: 'initialize', evidence: 'seen' } },
      },
    }),
  ]);
  const codex = codexOf(made.harnesses);
  t.match(codex, { version: '9.9.9', measured: '2026-12-31', relists: true, names: ['codex-mcp-client'] });
  t.strictSame(codex?.figures, {
    results: {
      'image block': { value: 'no', version: '1.0.0', measured: '2026-01-01', evidence: 'e' },
    },
    relisting: {
      'same turn': { value: 'yes', evidence: long.slice(0, 280) },
      'next turn': { value: 'no', version: '0.9.0', measured: '2025-12-31' },
    },
    handshake: { 'first message': { value: 'initialize', evidence: 'seen' } },
  });
  t.strictSame(
    made.harnesses.filter(({ name }) => name !== 'codex'),
    old.harnesses.filter(({ name }) => name !== 'codex'),
    'the others stay as they were',
  );
  t.strictSame(parseHarnessCaps(JSON.stringify(made), 'x'), made, 'it is a table that Leo reads');
});

t.test('an overlay gets what was measured as whole entries, and keeps the rest as it is', async (t) => {
  const figure = { 'same turn': { value: 'yes', evidence: 'e' } };
  const reports = [report({ sections: { relisting: figure } })];
  const overlay: HarnessOverlay = {
    format: 1,
    harnesses: [
      { name: 'codex', call_limit_s: 900 },
      { name: 'mine', relists: true },
    ],
  };
  const made = withReports(overlay, table.harnesses, reports);
  t.match(made.harnesses, [
    { name: 'codex', call_limit_s: 900, relists: true, version: '9.9.9', names: ['codex-mcp-client'] },
    { name: 'mine', relists: true },
  ]);
  const fresh = withReports<HarnessOverlay>({ format: 1, harnesses: [] }, table.harnesses, reports);
  t.strictSame(
    fresh.harnesses.map(({ name }) => name),
    ['codex'],
  );
  t.equal(parseHarnessOverlay(JSON.stringify(made), 'x').harnesses.length, 2);
});

t.test('the same version measured again on the same day says neither twice', async (t) => {
  const figure = { 'next turn': { value: 'no', evidence: 'e' } };
  const once = withReports(table, table.harnesses, [report({ sections: { relisting: figure } })]);
  const twice = withReports(once, table.harnesses, [report({ sections: { results: figure } })]);
  const { relisting = {} } = codexOf(twice.harnesses)?.figures ?? {};
  t.strictSame(relisting['next turn'], figure['next turn']);
});
