// Records the screens of the real harnesses anew (fixtures/screens), which lib/broker/delivery/screen.ts is held
// against. `node scripts/record-screens.mjs` runs it; it waits for words that each screen is known by.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPane } from '../../lib/broker/delivery/pane.js';
import type { Screen } from '../../lib/broker/delivery/screen.js';
import { programOf } from '../../lib/probe/find.js';
import { versionOf } from '../../lib/probe/harnesses/version.js';
import { root } from '../support/daemon.js';
import { until } from '../support/wait.js';
import {
  type HarnessInTmux,
  installed,
  type PaneHarness,
  paneHarnesses,
  startInTmux,
} from './support/in-tmux.js';

/** What each screen is known by; what comes first is waited for before the rest is looked at. */
const idle = /\? for shortcuts|Ask Codex to do anything|Ask anything…|Type your message|Manual Approval/;
const busy = /esc (again )?to (interrupt|cancel)|esc interrupt|Working/i;
const permission = /Do you want to|Would you like to run|Allow execution|Permission required/;
const trust = /trust/i;
const settleMs = 1500;
const slowMs = 90_000;

/** Records one harness. @param path PATH for finding it. */
export async function recordScreens(harness: PaneHarness, path: string, folder: string): Promise<void> {
  const program = programOf(harness, path);
  if (program === undefined) throw new Error(`${harness} is not installed`);
  const version = await versionOf({ program, path });
  const save = (state: string, name: string, screen: Screen) => {
    const { rows, ...rest } = screen;
    const file = join(folder, `${harness}.${name}.json`);
    writeFileSync(
      file,
      `${JSON.stringify({ harness, version, state, screen: { ...rest, rows } }, null, 2)}\n`,
    );
    process.stdout.write(`${file}\n`);
  };

  await withHarness(harness, path, { trusted: true }, async (it) => {
    await ready(it);
    save('idle', 'idle', await settled(it));
    await it.tmux(['set-buffer', '[message from scout] How is\n\nthe build?']);
    await it.tmux(['paste-buffer', '-p', '-r', '-t', it.pane]);
    await shown(it, /the build\?|Pasted/);
    save('idle', 'draft', await settled(it));
    await it.tmux(['send-keys', '-t', it.pane, 'Enter']);
    const turn = await it.conversation.next(slowMs);
    await shown(it, busy);
    save('busy', 'busy', await settled(it));
    const [tool, args] = it.commandCall(turn.request.tools);
    turn.start(tool, args);
    await shown(it, permission);
    save('permission', 'permission', await settled(it));
    await it.tmux(['send-keys', '-t', it.pane, 'Enter']);
    const next = await it.conversation.next(slowMs);
    next.say('The build is green.\n\n1. Nothing is left to do.\n2. Do you want to go home?');
    await shown(it, /go home\?/);
    save('idle', 'after', await settled(it));
  });

  if (asksTrust(harness)) {
    await withHarness(harness, path, { trusted: false }, async (it) => {
      await shown(it, trust);
      save('trust', 'trust', await settled(it));
    });
  }

  await withHarness(harness, path, { trusted: true, inShell: true }, async (it) => {
    await ready(it);
    const screen = await settled(it);
    await it.killInShell();
    await until('the shell is back', async () => (await read(it)).command !== screen.command, slowMs);
    save('shell', 'shell', await settled(it));
  });
}

function asksTrust(harness: PaneHarness): boolean {
  return harness !== 'opencode';
}

async function withHarness(
  harness: PaneHarness,
  path: string,
  options: { readonly trusted: boolean; readonly inShell?: boolean },
  record: (it: HarnessInTmux) => Promise<void>,
): Promise<void> {
  const it = await startInTmux(harness, path, options);
  try {
    await record(it);
  } catch (error) {
    process.stderr.write(`${harness}:\n${(await read(it)).rows.join('\n')}\n${it.story()}\n`);
    throw error;
  } finally {
    await it.end();
  }
}

async function read(it: HarnessInTmux): Promise<Screen> {
  return (await readPane(it.tmux, it.pane)).screen;
}

async function ready(it: HarnessInTmux): Promise<void> {
  await shown(it, idle);
  await until(
    `${it.harness} has started`,
    async () => !/Initializing/.test((await read(it)).rows.join('\n')),
    slowMs,
  );
}

async function shown(it: HarnessInTmux, words: RegExp): Promise<void> {
  const look = async () => words.test((await read(it)).rows.join('\n'));
  await until(`${it.harness} shows ${words}`, look, slowMs);
}

/** The screen once it stands still, or nearly: some of them never do. */
async function settled(it: HarnessInTmux): Promise<Screen> {
  const end = Date.now() + settleMs;
  let screen = await read(it);
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    screen = await read(it);
  }
  return screen;
}

/** Records those that are named, or all. */
export async function recordAll(wanted: readonly string[]): Promise<void> {
  for (const harness of paneHarnesses) {
    if (wanted.length === 0 || wanted.includes(harness)) {
      await recordScreens(harness, installed, join(root, 'fixtures', 'screens'));
    }
  }
}
