// A program for a pane: a prompt with bracketed paste turned on, which writes every byte that it is given to a file.
//
//   node build/test/support/line-echo.js BYTES-FILE [KIND]
//
// KIND `dialog` shows a permission dialog instead of the prompt, `plain` a screen without one, `ambush` a prompt that
// becomes the dialog once it is pasted to, `busy` what Claude Code shows while it works, and its idle prompt after
// SIGUSR2. It draws what it was pasted as a harness does: short texts as they are, long ones as a note.

import { appendFileSync } from 'node:fs';

const [, , file = '', kind = 'prompt'] = process.argv;
const screens: Readonly<Record<string, string>> = {
  dialog: '\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Esc to cancel\r\n',
  plain: '\r\nA page of a pager\r\n(END)',
};
const start = '\u001b[200~';
const end = '\u001b[201~';

process.stdin.setRawMode(true);
process.stdout.write('\u001b[?2004h');
appendFileSync(file, '');
const show = (screen: string) => process.stdout.write(`\u001b[2J\u001b[H${screen}`);
let screen = screens[kind];
const rule = '─'.repeat(60);
const framed = (below: string) => `${rule}\r\n❯ \r\n${rule}\r\n  ${below}\u001b[2;3H`;
const idle = () => show(framed('? for shortcuts'));
process.on('SIGUSR2', idle);
show(screen ?? (kind === 'busy' ? framed('esc to interrupt') : 'ready\r\n> '));

let pasting: string | undefined;
process.stdin.setEncoding('latin1');
process.stdin.on('data', (chunk: string) => {
  appendFileSync(file, Buffer.from(chunk, 'latin1'));
  if (screen !== undefined) {
    if (/[\r\n1-9y]/.test(chunk)) show('granted\r\n> ');
    return;
  }
  pasting = `${pasting ?? ''}${chunk}`;
  if (pasting.startsWith(start) && !pasting.includes(end)) return;
  const typed = pasting;
  pasting = undefined;
  for (const part of typed.split(/(?=\u001b\[200~)|(?<=\u001b\[201~)/)) {
    if (kind === 'ambush') {
      screen = screens.dialog;
      show(screen ?? '');
    } else if (part.startsWith(start)) {
      const text = Buffer.from(part.slice(start.length, -end.length), 'latin1').toString('utf8');
      process.stdout.write(text.length > 60 || /\n/.test(text) ? `[Pasted text, ${text.length}]` : text);
    } else if (part.includes('\r')) {
      if (kind === 'busy') idle();
      else process.stdout.write('\r\n> ');
    }
  }
});
