import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { put } from '../setup/surroundings.js';
import { temporaryHome } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';

t.test('the man page has every command of the help, and is one that man shows', async (t) => {
  const home = temporaryHome(t);
  const env = { ...process.env, LEO_HOME: home };
  const [page, help] = await Promise.all([runLeo(t, env, 'completion', 'man'), runLeo(t, env, 'help')]);
  t.equal(page.code, 0);
  const text = page.stdout.replaceAll('\\-', '-');
  const commands = [...help.stdout.matchAll(/^ {2}([a-z][a-z-]*)(?= )/gm)].map(([, name]) => name ?? '');
  t.ok(commands.length > 10);
  for (const name of commands.filter((one) => one !== 'help')) t.match(text, `\n.SS leo ${name}`);
  for (const line of [
    '.SS leo harness setup <name> [harness]',
    '.B --call-timeout <seconds>',
    '.SH EXIT STATUS',
  ])
    t.match(text, `\n${line}\n`);
  t.notMatch(text, 'completion names');
  t.notMatch(
    page.stdout,
    /^['.](?!\\"|TH|SH|SS|TP|PP|B |I |RI )/m,
    'no line is taken for a request by accident',
  );

  const file = join(home, 'leo.1');
  put(file, page.stdout);
  const tools: readonly (readonly string[])[] = [
    // Its one warning is of the missing date: the page is to be the same on every day.
    ['mandoc', '-Tlint', '-Werror', file],
    ['groff', '-man', '-ww', '-Tascii', '-z', file],
    ['man', '-l', file],
  ];
  for (const [program = '', ...args] of tools) {
    const { error, status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, MANPAGER: 'cat', MAN_KEEP_FORMATTING: '' },
    });
    // Not everywhere, and where man is BSD's it takes no -l.
    if (error !== undefined || /illegal option|invalid option/.test(stderr)) continue;
    t.equal(`${status} ${stderr}`, '0 ', program);
    if (program === 'man') t.match(stdout, 'lend the abilities of apps to coding agents');
    else t.equal(stdout, '', program);
  }
});
