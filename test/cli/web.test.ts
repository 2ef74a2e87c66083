import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openerFor } from '../../lib/cli/web/opener.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { http, post } from '../support/http.js';
import { runLeo } from '../support/run-leo.js';

const daemon = await startDaemon(t);
const codeIn = (url: string) => new URL(url.trim()).hash.replace('#sign-in=', '');

t.test('leo web prints a link that signs in once', async (t) => {
  const { code, stdout } = await runLeo(t, daemon.env, 'web', '--print');
  t.equal(code, 0);
  t.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\/#sign-in=[A-Za-z0-9_-]{43}\n$/);
  t.ok(stdout.startsWith(daemon.http));
  const signIn = () => post(daemon.http, '/api/v1/console/session', { code: codeIn(stdout) });
  t.equal((await signIn()).status, 200);
  t.match(await signIn(), { status: 401, body: { code: 'unauthorized', error: /it works once.*leo web/ } });
  const json = JSON.parse((await runLeo(t, daemon.env, 'web', '--json')).stdout);
  t.match(json, { url: /#sign-in=/, expires_at: /Z$/ });
});

t.test('leo web --sign-out ends every session', async (t) => {
  const { stdout } = await runLeo(t, daemon.env, 'web', '--no-open');
  const { headers, body } = await post(daemon.http, '/api/v1/console/session', { code: codeIn(stdout) });
  const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  const session = { cookie, 'x-leo-console': (body.data as { csrf: string }).csrf };
  t.equal((await http(daemon.http, '/api/v1/agents', { headers: session })).status, 200);
  t.match(
    (await runLeo(t, daemon.env, 'web', '--sign-out')).stdout,
    /^\d+ browsers? (is|are) signed out\.\n$/,
  );
  t.equal((await http(daemon.http, '/api/v1/agents', { headers: session })).status, 401);
});

t.test('leo web hands the link to the browser where there is one, else prints it', async (t) => {
  const folder = temporaryHome(t);
  const opened = join(folder, 'opened');
  const script = `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`;
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  const { SSH_CONNECTION: _, SSH_TTY: __, ...env } = daemon.env;
  const here = { ...env, DISPLAY: ':0', PATH: `${folder}:${process.env.PATH}` };
  const ran = await runLeo(t, here, 'web');
  t.strictSame([ran.code, ran.stdout], [0, 'The console is open in the browser.\n'], ran.stderr);
  t.match(readFileSync(opened, 'utf8'), /#sign-in=[A-Za-z0-9_-]{43}$/);
  const away = await runLeo(t, { ...here, SSH_CONNECTION: '1 2 3 4' }, 'web');
  t.match(away.stdout, /^Open this in a browser on this machine, within a minute:\n\nhttp:/);
});

t.test('what opens a link', async (t) => {
  const rows = [
    ['darwin', {}, 'open'],
    ['darwin', { SSH_TTY: '/dev/ttys1' }, undefined],
    ['linux', {}, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['linux', { DISPLAY: ':0', SSH_CONNECTION: 'a' }, undefined],
  ] as const;
  for (const [platform, env, opener] of rows)
    t.equal(openerFor({ platform, env }), opener, JSON.stringify({ platform, env }));
});

t.test('without a daemon, leo web says how to start one', async (t) => {
  const { code, stderr } = await runLeo(t, { ...process.env, LEO_HOME: temporaryHome(t) }, 'web');
  t.equal(code, 1);
  t.match(stderr, /no daemon answers at .*; start one: leo daemon/);
});
