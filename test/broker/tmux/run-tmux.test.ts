import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { faultOf, isNewEnough, tmuxOn } from '../../../lib/broker/tmux/run-tmux.js';
import { tmuxServerName } from '../../../lib/broker/tmux/server-name.js';
import { noTmux, testTmux } from '../../support/tmux.js';

t.test('versions of tmux', async (t) => {
  const rows: readonly (readonly [string, boolean | undefined])[] = [
    ['tmux 3.3a', true],
    ['tmux 3.2', true],
    ['tmux 3.10', true],
    ['tmux 4.0', true],
    ['tmux next-3.6', true],
    ['tmux 3.1c', false],
    ['tmux 2.9', false],
    ['tmux master', undefined],
  ];
  for (const [version, enough] of rows) t.equal(isNewEnough(version), enough, version);
});

t.test('what tmux says', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['no server running on /tmp/tmux-1000/leo', 'gone'],
    ['error connecting to /tmp/tmux-1000/leo (No such file or directory)', 'gone'],
    ['server exited unexpectedly', 'gone'],
    ['lost server', 'gone'],
    ["can't find pane: %3", 'not_found'],
    ["can't find session: =x", 'not_found'],
    ['no buffer x', 'not_found'],
    ['duplicate session: x', 'refused'],
  ];
  for (const [message, fault] of rows) t.equal(faultOf(message, 'leo').fault, fault, message);
});

t.test('each home has a server of its own', async (t) => {
  t.match(tmuxServerName('/somewhere', {}), /^leo-[0-9a-f]{12}$/);
  t.not(tmuxServerName('/somewhere', {}), tmuxServerName('/elsewhere', {}));
  t.equal(tmuxServerName('/somewhere', { LEO_TMUX_SERVER: 'mine' }), 'mine');
});

t.test('no tmux, and one that is too old', async (t) => {
  const empty = t.testdir({});
  const missing = tmuxOn({ server: 'x', env: { PATH: empty } });
  await t.rejects(missing(['list-sessions']), { fault: 'missing', message: /install tmux 3.2/ });
  const program = join(empty, 'tmux');
  writeFileSync(program, '#!/bin/sh\necho tmux 3.1c\n');
  chmodSync(program, 0o755);
  await t.rejects(missing(['list-sessions']), { fault: 'too_old', message: /3\.1c.*needs tmux 3\.2/ });
});

t.test(
  'a server that is not there, a pane that is not, and what a command prints',
  { skip: noTmux },
  async (t) => {
    const { tmux, env } = testTmux(t);
    const other = tmuxOn({ server: `leo-test-${randomBytes(6).toString('hex')}`, env });
    await t.rejects(other(['list-sessions']), { fault: 'gone', message: /not running/ });
    const pane = (await tmux(['new-session', '-d', '-P', '-F', '#{pane_id}', 'cat'])).trim();
    t.match(pane, /^%\d+$/);
    await t.rejects(tmux(['capture-pane', '-p', '-t', '%99']), {
      fault: 'not_found',
      message: /can't find pane/,
    });
    const text = 'trailing ; `x` $(y) #{pane_id} ünïcode ✓\n';
    await tmux(['load-buffer', '-b', 'one', '-'], text);
    t.equal(await tmux(['show-buffer', '-b', 'one']), text, 'stdin in, stdout out, byte for byte');
  },
);
