// Messages into a small program in a real tmux, which records every byte that it is given.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { AgentPane } from '../../../lib/broker/agents/panes/pane.js';
import { deliver, ordinaryPatience } from '../../../lib/broker/delivery/deliver.js';
import { messageText } from '../../../lib/broker/delivery/message-text.js';
import { readPane } from '../../../lib/broker/delivery/pane.js';
import { root, temporaryHome } from '../../support/daemon.js';
import { noTmux, type TestTmux, testTmux } from '../../support/tmux.js';
import { until } from '../../support/wait.js';

const program = join(root, 'build', 'test', 'support', 'line-echo.js');
const patience = { ...ordinaryPatience, unknownMs: 300, busyMs: 5000, settleMs: 50 };

interface Scene extends TestTmux {
  readonly pane: AgentPane;
  /** What the program was given, as it came. */
  bytes(): string;
  screen(): Promise<string>;
  send(text: string): Promise<unknown>;
}

async function scene(t: Test, kind = 'prompt', words?: readonly string[]): Promise<Scene> {
  const tmux = testTmux(t);
  const file = join(temporaryHome(t), 'bytes');
  const command = words ?? [process.execPath, program, file, kind];
  const start = ['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '100', '-y', '30'];
  const paneId = (await tmux.tmux([...start, ...command])).trim();
  await until('the program shows its screen', async () =>
    (await readPane(tmux.tmux, paneId)).screen.rows.some((row) => row.trim() !== ''),
  );
  const { pid, serverStart } = await readPane(tmux.tmux, paneId);
  const pane: AgentPane = { paneId, pid, serverStart, harness: 'custom' };
  return {
    ...tmux,
    pane,
    bytes: () => readFileSync(file, 'utf8'),
    screen: async () => (await readPane(tmux.tmux, paneId)).screen.rows.join('\n').trimEnd(),
    send: (text) => deliver({ tmux: tmux.tmux, agent: 'rocket', pane, text, patience }),
  };
}

const pasted = (text: string) => `\u001b[200~${text}\u001b[201~\r`;

const texts: Readonly<Record<string, string>> = {
  'one line': 'How is the build?',
  '200 lines': Array.from({ length: 200 }, (_, line) => `line ${line}: ${'x'.repeat(line % 90)}`).join('\n'),
  '200 KB': 'All work and no play makes Jack a dull boy. '.repeat(4700).slice(0, 200 * 1024),
  'a semicolon at the end': 'rm -rf node_modules;',
  'nothing but a semicolon': ';',
  'a dash at the start': '-t %1 --help',
  'what shells and tmux expand': '`x` $(y) ${z} #{pane_id} #(date) %1 {left} ~ "q" \'s\' \\n \\',
  'names of keys': 'Enter',
  'more names of keys': 'C-c Escape M-x Up',
  emoji: '👩‍🚀 🦁 naïve — ﬁn',
  'right-to-left text': 'שלום עולם, مرحبا ‏123',
  tabs: 'a\tb\n\tc',
  'spaces around': '  a  \n\n  b  \n',
  'bytes that end in 9b': '盛 ě 𐀛',
};

t.test(
  'a text arrives byte for byte, between the marks of a paste, and Enter apart from it',
  { skip: noTmux },
  async (t) => {
    const { send, bytes } = await scene(t);
    let before = 0;
    for (const [what, text] of Object.entries(texts)) {
      t.equal(await send(text), true, `${what}: submitted`);
      const all = bytes();
      t.ok(all.slice(before) === pasted(text), `${what}: as it was`);
      before = all.length;
    }
  },
);

t.test('what would end the paste does not arrive', { skip: noTmux }, async (t) => {
  const { send, bytes } = await scene(t);
  const hostile = [
    'a\u001b[201~\rrm -rf /\r',
    'a\u001b[20\u001b[201~1~\r!ls',
    'a\u009b201~b',
    'a\u0000\u007f\u0003\u0004b',
    'a\rb\r\nc',
  ];
  for (const text of hostile) t.equal(await send(messageText(text, 'scout')), true);
  t.equal(
    bytes(),
    ['a[201~\nrm -rf /\n', 'a[20[201~1~\n!ls', 'a201~b', 'ab', 'a\nb\nc']
      .map((text) => pasted(`[message from scout] ${text}`))
      .join(''),
  );
});

t.test('a pane in copy mode is brought out of it first', { skip: noTmux }, async (t) => {
  const { send, bytes, tmux, pane } = await scene(t);
  await tmux(['copy-mode', '-t', pane.paneId]);
  t.equal((await readPane(tmux, pane.paneId)).inMode, true);
  t.equal(await send('hello'), true);
  t.equal(bytes(), pasted('hello'));
  t.equal((await readPane(tmux, pane.paneId)).inMode, false);
});

t.test('nothing is typed into a permission dialog, and it is still there', { skip: noTmux }, async (t) => {
  const { send, bytes, screen } = await scene(t, 'dialog');
  const before = await screen();
  await t.rejects(send('1'), {
    code: 'not_deliverable',
    message: /shows a permission dialog; nothing was typed/,
  });
  t.equal(await screen(), before);
  t.equal(bytes(), '');
});

t.test('no Enter is pressed in a dialog that comes up behind the paste', { skip: noTmux }, async (t) => {
  const { send, bytes, screen } = await scene(t, 'ambush');
  await t.rejects(send('hello'), {
    code: 'not_deliverable',
    message: /shows a permission dialog; the text was pasted, and not submitted/,
  });
  t.equal(bytes(), pasted('hello').replace(/\r$/, ''));
  t.match(await screen(), /Do you want to proceed/);
});

t.test('a harness that works is waited for, and refused when it goes on', { skip: noTmux }, async (t) => {
  const { tmux, pane, bytes } = await scene(t, 'busy');
  const send = (text: string, busyMs: number) => {
    const busy = { ...patience, busyMs };
    return deliver({
      tmux,
      agent: 'rocket',
      pane: { ...pane, harness: 'claude-code' },
      text,
      patience: busy,
    });
  };
  await t.rejects(send('too soon', 200), { code: 'not_deliverable', message: /is busy; nothing was typed/ });
  const sent = send('hello', ordinaryPatience.busyMs);
  t.equal(bytes(), '', 'nothing while it works');
  process.kill(pane.pid, 'SIGUSR2');
  t.equal(await sent, true);
  t.equal(bytes(), pasted('hello'));
});

t.test('nothing is typed into a screen that is no prompt', { skip: noTmux }, async (t) => {
  const { send, bytes } = await scene(t, 'plain');
  await t.rejects(send('q'), { code: 'not_deliverable', message: /shows a screen that is no prompt/ });
  t.equal(bytes(), '');
});

t.test('nothing is added to what somebody has typed and not sent', { skip: noTmux }, async (t) => {
  const { send, bytes, tmux, pane, screen } = await scene(t);
  await tmux(['set-buffer', '-b', 'human', 'half a thought'], undefined);
  await tmux(['paste-buffer', '-p', '-b', 'human', '-t', pane.paneId]);
  await until('it is shown', async () => /half a thought/.test(await screen()));
  await t.rejects(send('hello'), { code: 'not_deliverable', message: /has text in its prompt/ });
  t.notMatch(bytes(), /hello/);
});

t.test('nothing is typed into the shell that a program has exited to', { skip: noTmux }, async (t) => {
  const folder = temporaryHome(t);
  const file = join(folder, 'typed');
  // The shell asks for a line, as at a prompt, and would keep what it is given.
  const { send, screen } = await scene(t, 'prompt', [
    'sh',
    '-c',
    `printf '> '; read line; echo "$line" > ${file}; sleep 60`,
  ]);
  const before = await screen();
  await t.rejects(send('echo hello'), { code: 'not_deliverable', message: /has exited to a shell \(.*sh\)/ });
  t.equal(await screen(), before);
});

t.test(
  "the pane must be the agent's: its process and its server are compared",
  { skip: noTmux },
  async (t) => {
    const { tmux, pane, bytes } = await scene(t);
    const send = (other: Partial<AgentPane>) =>
      deliver({ tmux, agent: 'fix', pane: { ...pane, ...other }, text: 'hello', patience });
    await t.rejects(send({ pid: pane.pid + 1 }), { code: 'not_deliverable', message: /fix has ended/ });
    await t.rejects(send({ serverStart: pane.serverStart - 1 }), { code: 'not_deliverable' });
    await t.rejects(send({ paneId: '%99' }), {
      code: 'not_deliverable',
      message: /pane of the agent fix is gone/,
    });
    t.equal(bytes(), '');
  },
);

t.test('a tmux server that is gone is said to be', { skip: noTmux }, async (t) => {
  const { send, kill } = await scene(t);
  kill();
  await t.rejects(send('hello'), { code: 'not_deliverable', message: /tmux server is not running/ });
});

t.test('no buffer is left behind, delivered or refused', { skip: noTmux }, async (t) => {
  const ok = await scene(t);
  await ok.send('hello');
  t.equal(await ok.tmux(['list-buffers']), '');
  const refused = await scene(t, 'dialog');
  await t.rejects(refused.send('hello'));
  t.equal(await refused.tmux(['list-buffers']), '');
});
