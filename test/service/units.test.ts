// What is written for systemd and for launchd: read by systemd's own checker and by a library of property lists, and
// the command line in it run as it stands.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import plist from 'plist';
import t from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { describeService, type Manager } from '../../lib/service/description.js';
import { launchdAgent } from '../../lib/service/launchd-agent.js';
import { servicePath } from '../../lib/service/service-path.js';
import { systemdUnit } from '../../lib/service/systemd-unit.js';
import { leo, temporaryHome } from '../support/daemon.js';
import { http } from '../support/http.js';
import { until } from '../support/wait.js';

const userHome = '/home/ada';
const describe = (
  manager: Manager,
  more: { home?: string; env?: NodeJS.ProcessEnv; hardened?: boolean } = {},
) =>
  describeService({
    manager,
    node: '/opt/node/bin/node',
    leo: '/opt/leo/bin/leo.js',
    places: placesOf({ LEO_HOME: more.home ?? join(userHome, '.leo') }),
    env: more.env ?? { PATH: '/usr/bin:/bin' },
    userHome,
    hardened: more.hardened ?? false,
  });
/** Everything that a unit or a property list gives a meaning to. */
const awkward = `/home/ada/%h $HOME "it's" \\ <&> é`;

t.test('a unit names everything by an absolute path, and what a stop must not do', async (t) => {
  const unit = systemdUnit(describe('systemd'));
  for (const line of [
    'ExecStart="/opt/node/bin/node" "/opt/leo/bin/leo.js" "daemon"',
    'Environment="LEO_HOME=/home/ada/.leo"',
    'Environment="LEO_STARTED_BY=systemd"',
    'Restart=on-failure',
    'RestartPreventExitStatus=75 78',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    'RestartSec=5',
    'Type=exec',
    'KillMode=process',
    'OOMPolicy=continue',
    'WantedBy=default.target',
  ])
    t.ok(unit.split('\n').includes(line), line);
  t.notMatch(unit, /NoNewPrivileges/, 'agents may use sudo');
  t.match(systemdUnit(describe('systemd', { hardened: true })), /^NoNewPrivileges=yes$/m);
});

t.test("systemd's own checker has nothing to say to a unit, whatever is in its paths", async (t) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined)
    return t.pass('no systemd-analyze', { skip: 'SKIPPED: systemd-analyze is not installed' });
  const folder = temporaryHome(t);
  chmodSync(folder, 0o700);
  const node = join(folder, 'a $HOME %h ${b} <é>', 'node');
  mkdirSync(dirname(node));
  symlinkSync(process.execPath, node);
  for (const hardened of [false, true]) {
    const service = { ...describe('systemd', { home: awkward, hardened }) };
    const file = join(folder, service.name);
    // The checker looks for the program.
    writeFileSync(file, systemdUnit({ ...service, command: [node, leo, 'daemon', awkward] }));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], { env });
    t.equal(status, 0);
    t.equal(`${stdout}${stderr}`, '');
  }
});

t.test('a library of property lists reads an agent as it was meant, whatever is in its paths', async (t) => {
  const service = describe('launchd', {
    home: awkward,
    env: { PATH: `/usr/bin:${awkward}`, LEO_TMUX_SERVER: '<&>' },
  });
  const path = servicePath(`/usr/bin:${awkward}`, '/opt/node/bin', userHome);
  t.strictSame(plist.parse(launchdAgent(service)), {
    Label: service.name,
    ProgramArguments: ['/opt/node/bin/node', '/opt/leo/bin/leo.js', 'daemon'],
    EnvironmentVariables: {
      LEO_HOME: awkward,
      PATH: path,
      LEO_STARTED_BY: 'launchd',
      LEO_TMUX_SERVER: '<&>',
    },
    WorkingDirectory: userHome,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 30,
    ProcessType: 'Interactive',
    AbandonProcessGroup: true,
    StandardOutPath: join(awkward, 'state', 'daemon.log'),
    StandardErrorPath: join(awkward, 'state', 'daemon.log'),
  });
});

t.test('a Node that systemd would refuse to start is refused before', async (t) => {
  for (const node of ['/a"b/node', "/a'b/node", '/a\\b/node'])
    t.throws(
      () => systemdUnit({ ...describe('systemd'), command: [node, leo, 'daemon'] }),
      /systemd starts no program with a quote or a backslash in its path/,
    );
});

t.test('a path with a line end can be written into neither', async (t) => {
  const home = '/home/ada/a\nExecStartPre=/bin/evil';
  t.throws(() => systemdUnit(describe('systemd', { home })), /cannot hold control characters/);
  t.throws(() => launchdAgent(describe('launchd', { home })), /cannot hold control characters/);
});

t.test('a service has the language and the folders of its shell, and none of its secrets', async (t) => {
  const taken = {
    LANG: 'de_DE.UTF-8',
    LC_ALL: 'C.UTF-8',
    XDG_CONFIG_HOME: '/home/ada/conf',
    CODEX_HOME: '/home/ada/codex',
    LEO_TMUX_SERVER: 'other',
  };
  const left = {
    ANTHROPIC_API_KEY: 'k',
    GITHUB_TOKEN: 't',
    SSH_AUTH_SOCK: '/tmp/s',
    HTTPS_PROXY: 'http://u:p@h',
    GEMINI_CLI_HOME: '/home/ada/.leo/state/agents/gem',
    TERM: 'x',
  };
  const { variables } = describe('launchd', { env: { PATH: '/bin', LC_CTYPE: '', ...taken, ...left } });
  const { LEO_HOME: _home, PATH: _path, LEO_STARTED_BY: _by, ...rest } = variables;
  t.strictSame(rest, taken);
});

t.test('each LEO_HOME has a service of its own', async (t) => {
  t.match(describe('systemd'), { name: 'leo.service', file: '/home/ada/.config/systemd/user/leo.service' });
  t.match(describe('launchd'), {
    name: 'leo.daemon',
    file: '/home/ada/Library/LaunchAgents/leo.daemon.plist',
  });
  const names = ['/a', '/b'].flatMap((home) => [
    describe('systemd', { home }).name,
    describe('launchd', { home }).name,
  ]);
  t.equal(new Set(names).size, 4);
  for (const name of names) t.match(name, /^(?:leo-[0-9a-f]{12}\.service|leo\.daemon\.[0-9a-f]{12})$/);
  t.equal(
    describe('systemd', { env: { XDG_CONFIG_HOME: '/etc/ada' } }).file,
    '/etc/ada/systemd/user/leo.service',
  );
});

t.test(
  'the PATH of a service is that of the shell, without what passes, and finds node and tmux',
  async (t) => {
    const now = [
      '/work/project/node_modules/.bin',
      '/home/ada/.nvm/bin',
      '/tmp/xyz/bin',
      'relative/bin',
      '',
      '/run/user/1000/fnm/bin',
      '/home/ada/.local/state/fnm_multishells/7_1/bin',
      '/usr/bin',
      '/home/ada/.nvm/bin',
      '/odd\n/bin',
    ];
    const parts = servicePath(now.join(':'), '/opt/node/bin', userHome).split(':');
    t.strictSame(parts.slice(0, 4), [
      '/home/ada/.nvm/bin',
      '/usr/bin',
      '/opt/node/bin',
      '/home/ada/.local/bin',
    ]);
    for (const folder of ['/opt/homebrew/bin', '/usr/local/bin', '/bin'])
      t.ok(parts.includes(folder), folder);
    t.equal(new Set(parts).size, parts.length);
    t.ok(servicePath(undefined, '/opt/node/bin', userHome).startsWith('/opt/node/bin:'));
  },
);

t.test(
  "the unit's command line, with the unit's environment and nothing else, is a daemon that answers",
  async (t) => {
    const home = join(temporaryHome(t), `a "b" $HOME %h \\ c`);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n');
    const places = placesOf({ LEO_HOME: home });
    const around = {
      node: process.execPath,
      leo,
      places,
      env: process.env,
      userHome: homedir(),
      hardened: false,
    };
    const unit = systemdUnit(describeService({ manager: 'systemd', ...around }));
    const [node = '', ...args] = unquoted(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').map((word) =>
      word.replaceAll('$$', '$'),
    );
    const env = Object.fromEntries(
      [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => {
        const [word = ''] = unquoted(line);
        const at = word.indexOf('=');
        return [word.slice(0, at), word.slice(at + 1)];
      }),
    );
    t.equal(node, process.execPath);
    t.equal(env.LEO_HOME, home);
    t.ok(env.PATH?.split(':').includes(dirname(node)));
    const child = spawn(node, args, { env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    t.teardown(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const file = await until('the daemon is ready', () => readDaemonFile(places.daemonFile));
    t.match(file, { started_by: 'systemd', pid: child.pid });
    t.equal((await http(file.socket, '/health')).status, 200);
    child.kill('SIGTERM');
    t.equal(await ended, 0, 'and ends as one that was told to');
  },
);

/** The words of a line in double quotes, as systemd.syntax says. */
function unquoted(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}
