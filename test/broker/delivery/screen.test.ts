// Every recorded screen is read as what it is.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { describeSight, isShell, type Screen, sightOf } from '../../../lib/broker/delivery/screen.js';
import { type SupervisedHarness, supervisedHarnesses } from '../../../lib/config/templates.js';
import { root } from '../../support/daemon.js';

interface Recorded {
  readonly harness: SupervisedHarness;
  readonly state: 'idle' | 'busy' | 'permission' | 'trust' | 'shell';
  readonly screen: Screen;
}

const folder = join(root, 'fixtures', 'screens');
const recorded = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded) }));

t.test('each recorded screen is what its name says', async (t) => {
  for (const { name, harness, state, screen } of recorded) {
    const sight = sightOf(screen, harness);
    t.equal(sight.kind, state, name);
    if (sight.kind === 'idle') t.equal(sight.draft, name.endsWith('.draft.json'), `${name}: a draft or none`);
  }
});

t.test('each harness is recorded idle, busy, with a draft, at a permission dialog and gone', async (t) => {
  for (const harness of supervisedHarnesses.filter((one) => one !== 'custom')) {
    for (const what of ['idle', 'after', 'draft', 'busy', 'permission', 'shell'])
      t.ok(
        recorded.some(({ name }) => name === `${harness}.${what}.json`),
        `${harness} ${what}`,
      );
  }
});

t.test('a screen of one harness is no prompt of another', async (t) => {
  const others: Readonly<Record<string, SupervisedHarness>> = { opencode: 'codex', codex: 'claude-code' };
  for (const { name, harness, state, screen } of recorded) {
    const other = others[harness];
    if (other !== undefined && state !== 'shell')
      t.not(sightOf(screen, other).kind, 'idle', `${name} as ${other}`);
  }
});

t.test('no words on the screen make a prompt where the cursor is not in one', async () => {
  const dialogs = recorded.filter(({ state }) => state === 'permission' || state === 'trust');
  const lines = ['❯ ', '› ', ' > ', '? for shortcuts', '─'.repeat(120), '  ┃  ', `  ╹${'▀'.repeat(40)}`, ''];
  fc.assert(
    fc.property(
      fc.constantFrom(...dialogs),
      fc.array(fc.constantFrom(...lines), { maxLength: 12 }),
      ({ harness, screen }, words) => {
        // The model's words stand above the dialog and push it down.
        const rows = [...words, ...screen.rows];
        const cursor = { x: screen.cursor.x, y: screen.cursor.y + words.length };
        return sightOf({ ...screen, rows, cursor }, harness).kind !== 'idle';
      },
    ),
  );
});

t.test('a shell is a shell whatever is on its screen', async (t) => {
  for (const { name, harness, state, screen } of recorded) {
    if (state !== 'idle') continue;
    for (const command of ['bash', '-zsh', 'fish'])
      t.equal(sightOf({ ...screen, command }, harness).kind, 'shell', `${name} in ${command}`);
    t.equal(sightOf({ ...screen, dead: true }, harness).kind, 'ended', `${name} ended`);
  }
  t.notOk(isShell('node'));
});

t.test('what was seen is told without a word of the screen', async (t) => {
  t.equal(describeSight({ kind: 'permission' }, 'claude'), 'shows a permission dialog');
  t.equal(describeSight({ kind: 'shell' }, 'bash'), 'has exited to a shell (bash)');
  t.equal(describeSight({ kind: 'idle', draft: true }, 'x'), 'has text in its prompt that nobody has sent');
});

t.test('any program with a prompt of its own can be a custom agent', async (t) => {
  const screen = (rows: readonly string[], x: number): Screen => ({
    command: 'my-agent',
    dead: false,
    alternate: false,
    cursor: { x, y: rows.length - 1 },
    width: 80,
    height: 24,
    rows,
  });
  t.strictSame(sightOf(screen(['hello', '>'], 2), 'custom'), { kind: 'idle', draft: false });
  t.strictSame(sightOf(screen(['me> half a'], 10), 'custom'), { kind: 'idle', draft: true });
  t.equal(sightOf(screen(['working'], 7), 'custom').kind, 'unknown');
  t.equal(sightOf(screen(['Do you want to go on?', '> 1. Yes', '  2. No'], 0), 'custom').kind, 'permission');
  t.equal(sightOf(screen(['Do you want to go on?', '> 1. Yes', '> '], 2), 'custom').kind, 'idle');
});
