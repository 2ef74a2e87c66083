import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  type HarnessOverlayEntry,
  overlayHarnesses,
  parseHarnessCaps,
  parseHarnessOverlay,
} from '../../lib/config/harness-caps.js';
import { unknownHarness } from '../../lib/config/unknown-harness.js';
import { root } from '../support/daemon.js';

const builtIn = readFileSync(join(root, 'harnesscaps.json'), 'utf8');
const { harnesses } = parseHarnessCaps(builtIn, 'harnesscaps.json');

t.test('the built-in table holds the eight measured harnesses', async (t) => {
  t.strictSame(harnesses.map(({ name }) => name).sort(), [
    'claude-code',
    'cline',
    'codex',
    'copilot-cli',
    'gemini-cli',
    'kilo',
    'opencode',
    'qwen-code',
  ]);
});

t.test('a figure of any section may stand in an entry', async (t) => {
  const figures = {
    handshake: { clientInfo: { value: 'cline 0.0.0', evidence: '{"method":"initialize"}' } },
  };
  const table = { format: 1, harnesses: [{ ...harnesses[0], figures }] };
  t.strictSame(parseHarnessCaps(JSON.stringify(table), 'x').harnesses[0]?.figures, figures);
});

const overlay = (...entries: object[]) => JSON.stringify({ format: 1, harnesses: entries });
const faults: readonly [what: string, text: string, message: RegExp][] = [
  ['an empty file', ' \n', /^caps is empty: remove it$/],
  ['a torn file', '{\n  "format": 1,\n  "harn', /^caps( line 3)? is not JSON: .*; mend it$/],
  ['a list', '[]', /^caps: at \$: must be object; mend it$/],
  ['a file without a format', '{"harnesses": []}', /^caps: at \$\.format: is missing; mend it$/],
  [
    'a file from the future',
    '{"format": 2, "harnesses": {"codex": {}}}',
    /^caps is of format 2, and this Leo reads format 1: update Leo, or move the file away$/,
  ],
  ['a format that is no number', '{"format": "1", "harnesses": []}', /at \$\.format: must be 1;/],
  [
    'an unknown key',
    overlay({ name: 'codex' }, { name: 'kilo', relist: true }),
    /^caps: at \$\.harnesses\[1\]\.relist \(kilo\): is an unknown key; mend it$/,
  ],
  ['a wrong value', overlay({ name: 'codex', call_limit_s: 0 }), /call_limit_s \(codex\): must be > 0/],
  ['an entry without a name', overlay({ relists: true }), /at \$\.harnesses\[0\]\.name: is missing/],
  ['a pattern that is empty', overlay({ name: 'x', names: [''] }), /names\[0\] \(x\): must NOT have fewer/],
  [
    'a naming without a tool',
    overlay({ name: 'x', naming: { form: 'x' } }),
    /naming\.form \(x\): must match/,
  ],
  ['a harness twice', overlay({ name: 'x' }, { name: 'x' }), /"x" stands there twice; make it one entry$/],
];
for (const [what, text, message] of faults) {
  t.test(`${what} is refused with place and mend`, async (t) => {
    t.throws(() => parseHarnessOverlay(text, 'caps'), { name: 'HarnessCapsError', message });
  });
}

t.test('the built-in table has to say everything', async (t) => {
  const { naming: _, ...short } = harnesses[0] ?? { naming: undefined };
  t.throws(() => parseHarnessCaps(overlay(short), 'caps'), {
    message: 'caps: at $.harnesses[0].naming (claude-code): is missing; mend it',
  });
});

const over = (...entries: HarnessOverlayEntry[]) =>
  overlayHarnesses(harnesses, parseHarnessOverlay(overlay(...entries), 'caps').harnesses);

t.test('an entry with a known name replaces key by key', async (t) => {
  const codex = over({ name: 'codex', call_limit_s: 900 }).find(({ name }) => name === 'codex');
  const before = harnesses.find(({ name }) => name === 'codex');
  t.strictSame(codex, { ...before, call_limit_s: 900 });
});

t.test('a new entry stands first, and is an unknown harness in what it does not say', async (t) => {
  const [mine, ...rest] = over({ name: 'mine', relists: true });
  t.strictSame(mine, { ...unknownHarness, name: 'mine', names: ['mine'], relists: true });
  t.strictSame(rest, harnesses);
});
