// What `leo service uninstall --purge` says, removes and leaves, in homes with something odd in each.

import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { LinkAgent } from '../support/link-agent.js';
import { runLeo } from '../support/run-leo.js';

/** A home in which a daemon once ran, and a folder beside it that is somebody's. */
function newHome(t: Test) {
  const userHome = temporaryHome(t);
  const home = join(userHome, '.leo');
  const env = {
    ...process.env,
    HOME: userHome,
    LEO_HOME: home,
    LEO_SERVICE_MANAGER: 'systemd',
    LEO_TMUX_SERVER: `leo-test-none-${process.pid}`,
  };
  const places = placesOf(env);
  const precious = join(userHome, 'precious');
  for (const folder of [places.state, places.clients, join(precious, 'deep')])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of [
    places.config,
    places.apiToken,
    join(places.clients, 'scout.token'),
    `${places.startLock}.7.abcd1234`,
    join(places.state, '.leo-0123456789ab.new'),
    join(places.state, '.0123456'),
    join(precious, 'deep', 'letter'),
  ])
    writeFileSync(file, '');
  const purge = (...more: readonly string[]) => runLeo(t, env, 'service', 'uninstall', '--purge', ...more);
  const isWhole = () => existsSync(join(precious, 'deep', 'letter'));
  return { userHome, env, places, precious, purge, isWhole };
}

const leos = [
  '.0123456',
  '.leo-0123456789ab.new',
  'api.token',
  'clients/',
  'clients/scout.token',
  'start.lock.7.abcd1234',
];

t.test('a purge lists each thing, removes that, and leaves leo.yaml', async (t) => {
  const { places, purge } = newHome(t);
  const dry = await purge('--dry-run');
  const listed = dry.stdout.split('\n').filter((line) => line.startsWith('  state/'));
  t.strictSame(
    listed,
    leos.map((name) => `  state/${name}`),
  );
  t.match(dry.stdout, `not Leo's and stays; remove it yourself if you like:\n  ${places.config}\n`);
  t.ok(existsSync(places.apiToken));
  t.match(await purge(), { code: 2, stderr: /no terminal to ask on; add --yes/ });
  t.ok(existsSync(places.apiToken));
  t.match(await purge('--yes'), { code: 0, stdout: `this stays: ${places.config}\n` });
  t.strictSame(readdirSync(places.home), ['leo.yaml']);
  rmSync(places.config);
  t.match(await purge('--yes'), { code: 0, stdout: `${places.home} is removed.\n` });
  t.notOk(existsSync(places.home));
  t.match(await purge('--yes'), { code: 0, stdout: /Nothing of Leo is in / }, 'a second time');
});

t.test('a link is removed as a link: what it leads to is neither listed nor touched', async (t) => {
  const { places, precious, purge, isWhole } = newHome(t);
  const folder = join(places.agentFolders, 'gem', '.gemini');
  mkdirSync(folder, { recursive: true });
  symlinkSync(precious, join(folder, 'commands'));
  symlinkSync(precious, places.devices);
  const done = await purge('--yes');
  t.equal(done.code, 0, done.stderr);
  t.match(done.stdout, /^ {2}state\/agents\/gem\/\.gemini\/commands$/m);
  t.match(done.stdout, /^ {2}state\/devices$/m);
  t.notMatch(done.stdout, 'letter');
  t.ok(isWhole());
  t.notOk(existsSync(places.state));
});

t.test('what somebody else has put into state/ is named, and stays', async (t) => {
  const { places, precious, purge, isWhole } = newHome(t);
  symlinkSync(precious, join(places.state, 'mine'));
  writeFileSync(join(places.state, 'notes.txt'), '');
  const done = await purge('--yes');
  t.equal(done.code, 0, done.stderr);
  for (const name of ['mine', 'notes.txt']) t.match(done.stdout, `\n  ${join(places.state, name)}\n`);
  t.strictSame(readdirSync(places.state).sort(), ['mine', 'notes.txt']);
  t.ok(isWhole());
});

t.test('nothing is removed behind a home or a state/ that is a link, or no folder', async (t) => {
  const rows = [
    ['home', (places: ReturnType<typeof placesOf>) => places.home, true],
    ['state', (places: ReturnType<typeof placesOf>) => places.state, true],
    ['state', (places: ReturnType<typeof placesOf>) => places.state, false],
  ] as const;
  for (const [what, pathOf, isLink] of rows) {
    const { places, precious, purge, isWhole } = newHome(t);
    const path = pathOf(places);
    rmSync(path, { recursive: true });
    mkdirSync(join(precious, 'state'));
    writeFileSync(join(precious, 'state', 'api.token'), '');
    if (isLink) symlinkSync(what === 'home' ? precious : join(precious, 'state'), path);
    else writeFileSync(path, '');
    t.match(await purge('--yes'), {
      code: 1,
      stdout: '',
      stderr: `leo: ${path} is no folder of Leo's own; nothing is removed behind it\n`,
    });
    t.ok(isWhole() && existsSync(join(precious, 'state', 'api.token')) && existsSync(path), what);
  }
});

t.test('a purge is refused while the gateway of a session would start a daemon again', async (t) => {
  const { env, places, purge } = newHome(t);
  rmSync(places.state, { recursive: true });
  // As if the service had started it: what is not to be in the way here.
  const daemon = await startDaemon(t, { home: places.home, env: { ...env, LEO_STARTED_BY: 'systemd' } });
  await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  t.match(await purge('--yes'), {
    code: 1,
    stdout: '',
    stderr: 'leo: an agent uses Leo (rocket), and would start a daemon again; end its session first\n',
  });
  t.ok(existsSync(places.apiToken));
});
