// Messages into the real harnesses, each in tmux and at a scripted model: what is sent is what the model is asked, word
// for word, and a dialog that asks for a permission is left alone.

import t from 'tap';
import { deliver } from '../../lib/broker/delivery/deliver.js';
import { messageText } from '../../lib/broker/delivery/message-text.js';
import { readPane } from '../../lib/broker/delivery/pane.js';
import { sightOf } from '../../lib/broker/delivery/screen.js';
import type { Turn } from '../../lib/probe/conversation.js';
import { programOf } from '../../lib/probe/find.js';
import { noTmux } from '../support/tmux.js';
import { until } from '../support/wait.js';
import {
  type HarnessInTmux,
  installed,
  type PaneHarness,
  paneHarnesses,
  startInTmux,
} from './support/in-tmux.js';

const slowMs = 120_000;

const messages: Readonly<Record<string, string>> = {
  'one line': 'How is the build?',
  'what shells and tmux expand': '`x` $(y) #{pane_id} %1 -t; "q" \'s\' \\n \\',
  'the name of a key': 'Enter',
  'emoji and right-to-left text': '👩‍🚀 🦁 שלום עולם مرحبا',
  'some lines': 'first\n\n\tindented\n  spaces\n/quit\nlast;',
  '200 lines': Array.from({ length: 200 }, (_, line) => `line ${line}: ${'x '.repeat(line % 30)}.`).join(
    '\n',
  ),
};

/** What some of them make of a tab that is pasted. */
const tabs: Readonly<Partial<Record<PaneHarness, string>>> = {
  'claude-code': '    ',
  'copilot-cli': '    ',
  'qwen-code': '',
};

// Each is waited for more than it works.
t.jobs = 2;
t.setTimeout(900_000);

for (const harness of paneHarnesses) {
  const skip =
    noTmux ||
    (programOf(harness, installed) === undefined && `${harness} is not installed below test/harness`);
  const timeout = 300_000;
  t.test(
    `${harness}: messages arrive word for word, and a permission dialog is left alone`,
    { skip, timeout },
    async (t) => {
      const it = await startInTmux(harness, installed, { trusted: true });
      t.teardown(async () => {
        if (!t.passing()) {
          for (const row of (await readPane(it.tmux, it.pane)).screen.rows) t.comment(row);
          t.comment(it.story());
        }
        await it.end();
      });
      const { pid, serverStart } = await readPane(it.tmux, it.pane);
      const pane = { paneId: it.pane, pid, serverStart, harness };
      const send = (text: string) =>
        deliver({ tmux: it.tmux, agent: 'rocket', pane, text: messageText(text, 'scout') });

      await idle(it);
      let turn: Turn | undefined;
      for (const [what, text] of Object.entries(messages)) {
        t.equal(await send(text), true, `${what}: submitted`);
        turn = await it.conversation.next(slowMs);
        const prompt = turn.request.prompts.at(-1) ?? '';
        const sent = messageText(text.replaceAll('\t', tabs[harness] ?? '\t'), 'scout');
        t.ok(prompt.includes(sent), `${what}: word for word`) ||
          t.comment(JSON.stringify(prompt.slice(-500)));
        turn.say('Done.');
        await idle(it);
      }

      const [submitted, asked] = await Promise.all([send('Make a file.'), it.conversation.next(slowMs)]);
      t.equal(submitted, true);
      asked.start(...it.commandCall(asked.request.tools));
      const shows = async () => sightOf((await readPane(it.tmux, it.pane)).screen, harness).kind;
      await until('it asks for the permission', async () => (await shows()) === 'permission', slowMs);
      await t.rejects(send('1'), {
        code: 'not_deliverable',
        message: /shows a permission dialog; nothing was typed/,
      });
      t.equal(await shows(), 'permission', 'the dialog is still there');
    },
  );
}

async function idle(it: HarnessInTmux): Promise<void> {
  await until(
    `${it.harness} is idle`,
    async () => sightOf((await readPane(it.tmux, it.pane)).screen, it.harness).kind === 'idle',
    slowMs,
  );
}
