// What goes wrong between Leo and a service manager: each is one line that names the mend.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { launchd } from '../../lib/service/launchd.js';
import { systemd } from '../../lib/service/systemd.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { programIn } from '../support/program-on-path.js';
import { runLeo } from '../support/run-leo.js';

const rows: readonly (readonly [
  what: string,
  manager: 'systemd' | 'launchd',
  script: string | undefined,
  RegExp,
])[] = [
  ['no systemctl', 'systemd', undefined, /systemd does not run this machine; have another manager/],
  [
    'a machine of another init',
    'systemd',
    'echo "System has not been booted with systemd as init system (PID 1). Can\'t operate." >&2; exit 1',
    /systemd does not run this machine/,
  ],
  [
    'no user manager',
    'systemd',
    'echo "Failed to connect to bus: No medium found" >&2; exit 1',
    /no systemd manager of your user answers: log in as that user .*loginctl enable-linger/,
  ],
  [
    'anything else of systemctl',
    'systemd',
    'echo "Failed to reload daemon: Access denied" >&2; exit 4',
    /systemctl --user daemon-reload: Failed to reload daemon: Access denied/,
  ],
  ['no launchctl', 'launchd', undefined, /there is no launchctl here/],
  [
    'a user without a session',
    'launchd',
    'echo "Bootstrap failed: 125: Domain does not support specified action" >&2; exit 125',
    /launchd has no session of yours: log in at the screen/,
  ],
  [
    'anything else of launchctl',
    'launchd',
    'echo "Bootstrap failed: 5: Input/output error" >&2; exit 5',
    /launchctl enable gui\/\d+\/leo\.daemon: Bootstrap failed: 5/,
  ],
];

for (const [what, manager, script, words] of rows) {
  t.test(`${what} is said in a line, and leaves nothing behind`, async (t) => {
    const userHome = temporaryHome(t);
    const bin = join(userHome, 'bin');
    mkdirSync(bin);
    const program = manager === 'systemd' ? 'systemctl' : 'launchctl';
    if (script !== undefined) programIn(bin, program, script);
    const env = {
      HOME: userHome,
      LEO_HOME: join(userHome, '.leo'),
      LEO_SERVICE_MANAGER: manager,
      PATH: bin,
    };
    const ran = await runLeo(t, env, 'service', 'install');
    t.equal(ran.code, 1);
    t.match(ran.stderr, words);
    t.match(ran.stderr, /^leo: [^\n]*\n$/, 'one line');
    t.equal(ran.stdout, '');
    for (const left of [
      '.config/systemd/user/leo.service',
      'Library/LaunchAgents/leo.daemon.plist',
      '.leo/state/service.json',
    ])
      t.notOk(existsSync(join(userHome, left)), left);
  });
}

t.test('where no service is installed, each command says so and what to type', async (t) => {
  const userHome = temporaryHome(t);
  const env = {
    ...process.env,
    HOME: userHome,
    LEO_HOME: join(userHome, '.leo'),
    LEO_SERVICE_MANAGER: 'systemd',
  };
  await Promise.all(
    ['start', 'stop', 'restart', 'logs'].map(async (verb) => {
      const ran = await runLeo(t, env, 'service', verb);
      t.match(ran, {
        code: 1,
        stdout: '',
        stderr: /^leo: the service is not installed \(.*\); install it: leo service install\n$/,
      });
    }),
  );
  t.match(await runLeo(t, env, 'service', 'status'), {
    code: 1,
    stdout: /: not installed\n[\s\S]*no daemon answers at [\s\S]*Install it: leo service install\n$/,
  });
  t.match(await runLeo(t, env, 'logs'), { code: 1, stderr: /^leo: no daemon has left a log here; / });
  const odd = await runLeo(t, { ...env, LEO_SERVICE_MANAGER: 'cron' }, 'service', 'status');
  t.match(odd, { code: 2, stderr: 'leo: LEO_SERVICE_MANAGER=cron: give systemd or launchd\n' });
});

t.test('an install that fails at its last step leaves no unit, and none that is enabled', async (t) => {
  const userHome = temporaryHome(t);
  const bin = join(userHome, 'bin');
  mkdirSync(bin);
  const units = join(userHome, '.config', 'systemd', 'user');
  const wanted = join(units, 'wanted');
  programIn(
    bin,
    'systemctl',
    `case "$2" in
enable) : > '${wanted}';;
disable) /bin/rm '${wanted}';;
restart) echo 'Job for leo.service failed.' >&2; exit 1;;
esac`,
  );
  const env = { HOME: userHome, LEO_HOME: join(userHome, '.leo'), LEO_SERVICE_MANAGER: 'systemd', PATH: bin };
  t.match(await runLeo(t, env, 'service', 'install'), {
    code: 1,
    stderr: 'leo: systemctl --user restart leo.service: Job for leo.service failed.\n',
  });
  t.strictSame(readdirSync(units), []);
});

t.test('where the manager cannot be asked, the status says that, and what the daemon says', async (t) => {
  const daemon = await startDaemon(t, { env: { LEO_STARTED_BY: 'systemd' } });
  const userHome = temporaryHome(t);
  const bin = join(userHome, 'bin');
  mkdirSync(bin);
  programIn(bin, 'systemctl', 'echo "Failed to connect to bus: No medium found" >&2; exit 1');
  const env = { HOME: userHome, LEO_HOME: daemon.home, LEO_SERVICE_MANAGER: 'systemd', PATH: bin };
  const { file } = JSON.parse((await runLeo(t, env, 'service', 'status', '--json')).stdout) as {
    file: string;
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  t.match(await runLeo(t, env, 'service', 'status'), {
    code: 0,
    stdout: new RegExp(`no systemd manager of your user answers[^]*daemon      Leo \\S+, pid ${daemon.pid}`),
  });
  const told: unknown = JSON.parse((await runLeo(t, env, 'service', 'status', '--json')).stdout);
  t.match(told, { installed: true, activity: null, error: /no systemd manager/, daemon: { running: true } });
});

t.test('what one manager alone knows is refused for the other', async (t) => {
  const userHome = temporaryHome(t);
  const env = {
    ...process.env,
    HOME: userHome,
    LEO_HOME: join(userHome, '.leo'),
    LEO_SERVICE_MANAGER: 'launchd',
  };
  t.match(await runLeo(t, env, 'service', 'install', '--harden', '--dry-run'), {
    code: 2,
    stdout: '',
    stderr: 'leo: --harden is for systemd: launchd has nothing like it\n',
  });
});

t.test('what systemctl says of a unit is read as it is meant', async (t) => {
  const says = (text: string) =>
    systemd.readState({ code: 0, out: text.replaceAll(' ', '\n'), err: '', missing: false });
  t.match(
    says(
      'LoadState=loaded UnitFileState=enabled ActiveState=active SubState=running MainPID=7 ExecMainCode=0 ExecMainStatus=0 Result=success',
    ),
    {
      loaded: true,
      enabled: true,
      activity: 'running',
      pid: 7,
      lastExit: undefined,
      words: 'active (running)',
    },
  );
  t.match(
    says(
      'LoadState=loaded ActiveState=failed SubState=failed MainPID=0 ExecMainCode=1 ExecMainStatus=78 Result=exit-code',
    ),
    { activity: 'failed', pid: undefined, lastExit: 78, words: 'failed (failed), exit-code' },
  );
  t.match(
    says(
      'LoadState=loaded ActiveState=activating SubState=auto-restart MainPID=0 ExecMainCode=2 ExecMainStatus=9 Result=signal',
    ),
    { activity: 'starting', lastExit: undefined },
  );
  t.match(says('LoadState=not-found ActiveState=inactive SubState=dead'), {
    loaded: false,
    activity: 'stopped',
  });
  t.equal(says(''), undefined);
  t.equal(systemd.readState({ code: 1, out: '', err: 'no', missing: false }), undefined);
});

t.test('what launchctl prints of an agent is read as it is meant', async (t) => {
  const { readState } = launchd(501);
  const says = (...lines: readonly string[]) =>
    readState({ code: 0, out: `gui/501/leo.daemon = {\n${lines.join('\n')}\n}\n`, err: '', missing: false });
  t.match(says('\tstate = running', '\tpid = 7', '\tlast exit code = (never exited)', '\t\tstate = active'), {
    activity: 'running',
    pid: 7,
    lastExit: undefined,
  });
  t.match(says('\tstate = not running', '\tlast exit code = 0'), { activity: 'stopped', lastExit: 0 });
  t.match(says('\tstate = not running', '\tlast exit code = 1'), { activity: 'failed', lastExit: 1 });
  t.match(says('\tstate = spawn scheduled', '\tlast exit code = 1'), { activity: 'starting' });
  t.match(readState({ code: 113, out: '', err: 'Could not find service "x" in domain', missing: false }), {
    loaded: false,
    activity: 'stopped',
  });
  t.equal(readState({ code: 1, out: '', err: 'Operation not permitted', missing: false }), undefined);
});

t.test('a home that is open to others is not made a service of', async (t) => {
  const userHome = temporaryHome(t);
  const home = join(userHome, '.leo');
  mkdirSync(home, { mode: 0o755 });
  writeFileSync(join(home, 'leo.yaml'), '');
  const env = { ...process.env, HOME: userHome, LEO_HOME: home, LEO_SERVICE_MANAGER: 'systemd' };
  t.match(await runLeo(t, env, 'service', 'install'), {
    code: 1,
    stderr: `is open to others (mode 0755): chmod 700 ${home}`,
  });
});
