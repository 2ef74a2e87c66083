// Facts to lines, row by row. Each row changes one thing about a home in which nothing is wrong.

import t from 'tap';
import { diagnose } from '../../lib/doctor/diagnose.js';
import type { Answer, DaemonFacts, Facts, TokenFileFacts } from '../../lib/doctor/facts.js';
import type { HarnessLook } from '../../lib/setup/index.js';

const healthy = (uptimeS = 100, version = '1.2.3'): Answer => ({ kind: 'leo', version, uptimeS });
const socket = '/h/state/leo.sock';

const look: HarnessLook = {
  name: 'codex',
  program: '/bin/codex',
  version: '0.9.0',
  measured: '0.9.0',
  tools: 'fallback',
  seen: [],
  set_up: [
    { scope: 'user', path: '/u/config.toml', points: 'this', command: ['/node', '/leo.js'], error: null },
  ],
};

const good: Facts = {
  now: Date.parse('2026-06-10T12:00:00Z'),
  node: '22.1.0',
  leo: '1.2.3',
  userHome: '/u',
  foreign: [],
  freeBytes: 1e12,
  folders: [
    { path: '/h', role: 'home', found: 'folder', mode: 0o700, mine: true },
    { path: '/h/state', role: 'state', found: 'folder', mode: 0o700, mine: true },
  ],
  config: {
    path: '/h/leo.yaml',
    exists: true,
    errors: [],
    unreadable: null,
    warnings: [],
    mode: 0o600,
    stamp: 'monday',
    templates: 0,
    autostart: true,
  },
  daemon: {
    socket,
    state: 'alive',
    mode: 0o600,
    answer: healthy(),
    plainBytes: 17,
    maxBytes: 103,
    others: [],
    serviceInstalled: false,
    file: {
      pid: 42,
      runs: true,
      stopped: null,
      version: '1.2.3',
      http: 'http://127.0.0.1:8370',
      answer: healthy(),
      service: false,
      configStamp: 'monday',
    },
    agents: [{ name: 'rocket', versions: ['1.2.3'] }],
    groups: [{ group: 'desk', connected: true }],
  },
  service: null,
  port: { port: 8370, answer: healthy(101) },
  tokens: {
    files: [
      { path: '/h/state/api.token', role: 'operator', name: 'operator', state: { kind: 'good' } },
      { path: '/h/state/agent.token', role: 'agent', name: 'agent', state: { kind: 'good' } },
    ],
    clients: [],
  },
  tmux: { kind: 'found', version: 'tmux 3.4', enough: true },
  installTmux: 'sudo apt install tmux',
  harnesses: [look],
  harnessCapsFault: null,
  seenApps: [],
};

const file = (change: Partial<NonNullable<DaemonFacts['file']>>): DaemonFacts['file'] =>
  good.daemon.file && { ...good.daemon.file, ...change };
const daemon = (change: Partial<DaemonFacts>): Partial<Facts> => ({ daemon: { ...good.daemon, ...change } });
const down = { state: 'none', mode: null, answer: { kind: 'refused' }, agents: null, groups: null } as const;
const service = (change: Partial<NonNullable<Facts['service']>>): Partial<Facts> => ({
  service: {
    manager: 'systemd',
    name: 'leo.service',
    gone: null,
    leo: '/leo.js',
    isThis: true,
    lingers: true,
    remote: false,
    ...change,
  },
  ...daemon({ serviceInstalled: true, file: file({ service: true }) }),
});
const harness = (change: Partial<HarnessLook>): Partial<Facts> => ({ harnesses: [{ ...look, ...change }] });
const entry = (change: Partial<HarnessLook['set_up'][number]>): Partial<Facts> =>
  harness({
    set_up: [
      {
        scope: 'user',
        path: '/u/f',
        points: 'this',
        command: ['/node', '/leo.js', 'x'],
        error: null,
        ...change,
      },
    ],
  });
const token = (state: TokenFileFacts['state'], role: TokenFileFacts['role'] = 'operator', name = 'x') => ({
  tokens: { files: [{ path: '/h/t', role, name, state }], clients: [] },
});

/** The line that is expected: `status check: text → mend`, the parts of the text that count. */
type Row = readonly [
  change: Partial<Facts>,
  status: string,
  check: string,
  text: string,
  mend: string | null,
];

const rows: readonly Row[] = [
  [{}, 'pass', 'node', 'Node 22.1.0', null],
  [{ node: '18.20.0' }, 'fail', 'node', 'needs 20 or later', 'npm install -g n && n lts'],

  [{}, 'pass', 'home', '/h is yours alone', null],
  ...(
    [
      [{ found: 'missing' }, 'pass', 'is not there yet', null],
      [{ found: 'other' }, 'fail', '/h is not a folder', 'mv /h /h.old'],
      [{ mode: 0o755 }, 'fail', 'open to others (mode 0755): no daemon starts', 'chmod 700 /h'],
      [{ mine: false }, 'fail', 'belongs to another user', 'export LEO_HOME=~/.leo'],
      [{ role: 'state', mode: 0o750 }, 'warn', 'mode 0750); the next daemon closes it', 'chmod 700 /h'],
      [{ path: "/a b's", mode: 0o777 }, 'fail', 'mode 0777', "chmod 700 '/a b'\\''s'"],
    ] as const
  ).map(([change, status, text, mend]): Row => {
    const folder = { path: '/h', role: 'home', found: 'folder', mode: 0o700, mine: true, ...change } as const;
    return [{ folders: [folder] }, status, 'home', text, mend];
  }),

  [
    { folders: [{ path: '/u/.leo', role: 'home', found: 'folder', mode: 0o700, mine: false }] },
    'fail',
    'home',
    '/u/.leo belongs to another user, as after sudo leo',
    'sudo chown -R "$(id -un)" /u/.leo',
  ],
  [
    { foreign: ['/h/state/agents.json', '/h/leo.yaml'] },
    'fail',
    'home',
    '/h/state/agents.json belongs to another user, and 1 more file, as after sudo leo',
    'sudo chown -R "$(id -un)" /h',
  ],
  [{ freeBytes: 3_500_000 }, 'fail', 'home', 'the disk of /h has 3 MiB left', 'df -h /h'],
  [{ freeBytes: null }, 'pass', 'home', '/h is yours alone', null],

  [{}, 'pass', 'config', '/h/leo.yaml can be used', null],
  ...(
    [
      [{ exists: false, mode: null }, 'pass', 'there is no /h/leo.yaml', null],
      [
        { errors: [{ line: 3, message: 'unknown key `x`' }] },
        'fail',
        '/h/leo.yaml line 3: unknown key `x`',
        '${EDITOR:-vi} /h/leo.yaml && leo reload',
      ],
      [
        { warnings: [{ line: 2, message: 'odd' }] },
        'warn',
        'leo.yaml line 2: odd',
        '${EDITOR:-vi} /h/leo.yaml && leo reload',
      ],
      [{ unreadable: '/h/leo.yaml cannot be read: EISDIR' }, 'fail', 'cannot be read: EISDIR', null],
      [{ mode: 0o666 }, 'fail', 'can be changed by others (mode 0666)', 'chmod go-w /h/leo.yaml'],
    ] as const
  ).map(
    ([change, status, text, mend]): Row => [
      { config: { ...good.config, ...change } },
      status,
      'config',
      text,
      mend,
    ],
  ),
  [
    {
      config: { ...good.config, errors: [{ line: 1, message: 'odd' }] },
      ...daemon({ ...down, file: null }),
    },
    'fail',
    'config',
    'line 1: odd',
    '${EDITOR:-vi} /h/leo.yaml && leo validate',
  ],
  [
    { config: { ...good.config, stamp: 'tuesday' } },
    'warn',
    'config',
    '/h/leo.yaml was changed, and the daemon goes by what was',
    'leo reload',
  ],
  [
    { config: { ...good.config, stamp: 'none', exists: false, mode: null } },
    'warn',
    'config',
    'the daemon goes by what was',
    'leo reload',
  ],
  [daemon({ file: file({ configStamp: null }) }), 'pass', 'config', 'can be used', null],
  [{ config: { ...good.config, stamp: 'tuesday' }, ...daemon(down) }, 'pass', 'config', 'can be used', null],
  [{ harnessCapsFault: 'h.json is empty: remove it' }, 'warn', 'config', 'h.json is empty', null],

  [{}, 'pass', 'socket', `a daemon answers at ${socket}`, null],
  [daemon({ ...down, file: null }), 'warn', 'socket', 'no daemon runs', 'leo daemon'],
  [
    daemon({ ...down, file: null, serviceInstalled: true }),
    'warn',
    'socket',
    'its service does not start it',
    'leo service start',
  ],
  [daemon({ ...down, state: 'stale' }), 'warn', 'socket', 'left by a daemon that was killed', 'leo daemon'],
  [
    daemon({ ...down, state: 'no socket' }),
    'fail',
    'socket',
    'it is no socket',
    `mv ${socket} ${socket}.old`,
  ],
  [daemon(down), 'fail', 'socket', `(pid 42) runs, but its socket ${socket} is gone`, 'kill 42; leo daemon'],
  [
    daemon({ ...down, file: file({ service: true }) }),
    'fail',
    'socket',
    `its socket ${socket} is gone`,
    'leo service restart',
  ],
  [
    daemon({ ...down, serviceInstalled: true }),
    'fail',
    'socket',
    `its socket ${socket} is gone`,
    'kill 42; leo service start',
  ],
  [
    { config: { ...good.config, autostart: false }, ...daemon({ ...down, file: null }) },
    'warn',
    'socket',
    'daemon.autostart: false, so no gateway starts one',
    'leo daemon',
  ],
  [daemon({ answer: { kind: 'silent' } }), 'fail', 'socket', '(pid 42) at', 'kill -CONT 42'],
  [
    daemon({ answer: { kind: 'silent' }, file: file({ stopped: true }) }),
    'fail',
    'socket',
    'it may be stopped',
    'kill -CONT 42',
  ],
  [
    daemon({ answer: { kind: 'silent' }, file: file({ stopped: false }) }),
    'fail',
    'socket',
    'does not answer; it hangs',
    'kill -9 42; leo daemon',
  ],
  [
    daemon({
      answer: { kind: 'silent' },
      file: file({ stopped: false, service: true }),
    }),
    'fail',
    'socket',
    'does not answer; it hangs',
    'leo service restart',
  ],
  [
    daemon({ answer: { kind: 'silent' }, file: null }),
    'fail',
    'socket',
    'it may be stopped',
    `kill -CONT $(lsof -t ${socket})`,
  ],
  [
    daemon({ answer: { kind: 'denied' } }),
    'fail',
    'socket',
    'belongs to another user',
    'export LEO_HOME=~/.leo',
  ],
  [daemon({ answer: { kind: 'refused' } }), 'warn', 'socket', 'has just ended', 'leo daemon'],
  [
    daemon({ answer: { kind: 'other', why: 'odd' } }),
    'fail',
    'socket',
    'does not answer as a daemon',
    `lsof ${socket}`,
  ],
  [
    daemon({ plainBytes: 104 }),
    'warn',
    'socket',
    'would have 104 bytes, and 103 work',
    'export LEO_HOME=~/.leo',
  ],
  [daemon({ mode: 0o666 }), 'fail', 'socket', 'open to others (mode 0666)', `chmod 600 ${socket}`],

  [{}, 'pass', 'daemon', 'one daemon runs (pid 42)', null],
  [daemon({ others: ['/s/x.sock'] }), 'fail', 'daemon', 'a second daemon', 'kill $(lsof -t /s/x.sock)'],
  [daemon({ file: null }), 'warn', 'daemon', 'daemon.json is gone', `kill $(lsof -t ${socket}); leo daemon`],
  [
    daemon({ file: file({ runs: false }) }),
    'fail',
    'daemon',
    'names the pid 42, which is gone',
    `kill $(lsof -t ${socket}); leo daemon`,
  ],
  [daemon({ file: file({ answer: healthy(5000) }) }), 'fail', 'daemon', 'two daemons', 'kill 42'],

  [{}, 'pass', 'service', 'none is installed', null],
  [service({}), 'pass', 'service', 'leo.service of systemd starts the daemon', null],
  [
    service({ gone: '/old/node' }),
    'fail',
    'service',
    'starts /old/node, which is gone',
    'leo service install',
  ],
  [
    service({ isThis: false, leo: '/other/leo.js' }),
    'warn',
    'service',
    'starts another Leo: /other/leo.js',
    'leo service install',
  ],
  [
    { ...service({}), ...daemon({}) },
    'warn',
    'service',
    'the daemon (pid 42) was started outside leo.service',
    'kill 42; leo service start',
  ],
  [service({ lingers: false }), 'pass', 'service', 'starts the daemon', null],
  [
    service({ lingers: false, remote: true }),
    'warn',
    'service',
    'may end when you log out',
    'loginctl enable-linger',
  ],
  [
    service({ manager: 'launchd', lingers: null, remote: true }),
    'pass',
    'service',
    'of launchd starts',
    null,
  ],

  [{}, 'pass', 'port', "http://127.0.0.1:8370 is the daemon's", null],
  [{ port: null }, 'pass', 'port', 'the daemon is at http://127.0.0.1:8370', null],
  [{ port: { port: 9000, answer: { kind: 'refused' } } }, 'pass', 'port', 'leo.yaml says 9000', null],
  [
    { port: { port: 8370, answer: { kind: 'refused' } } },
    'fail',
    'port',
    'does not listen at http://127.0.0.1:8370 any more',
    'kill 42; leo daemon',
  ],
  [
    { ...daemon({ file: file({ http: 'http://127.0.0.1:1', answer: { kind: 'refused' } }) }) },
    'fail',
    'port',
    'does not answer at http://127.0.0.1:1',
    'kill 42; leo daemon',
  ],
  [
    { ...daemon({ ...down, file: null }), port: { port: 8370, answer: { kind: 'refused' } } },
    'pass',
    'port',
    'port 8370 is free',
    null,
  ],
  [{ ...daemon({ ...down, file: null }), port: null }, 'pass', 'port', 'takes a free one', null],
  [
    { ...daemon({ ...down, file: null }) },
    'fail',
    'port',
    "taken by a daemon of Leo's with another LEO_HOME (Leo 1.2.3)",
    'lsof -nP -iTCP:8370 -sTCP:LISTEN',
  ],
  ...(['silent', 'other'] as const).map(
    (kind): Row => [
      { ...daemon({ ...down, file: null }), port: { port: 8370, answer: { kind, why: '' } } },
      'fail',
      'port',
      'taken by another program; end it, or set web: { port: 8371 }',
      'lsof -nP -iTCP:8370 -sTCP:LISTEN',
    ],
  ),
  [
    { ...daemon({ answer: { kind: 'silent' } }), port: { port: 8370, answer: { kind: 'silent' } } },
    'warn',
    'port',
    "the daemon's (pid 42), which does not answer",
    'kill -CONT 42',
  ],

  [{}, 'pass', 'versions', 'Leo 1.2.3, and so is the daemon and every gateway', null],
  [daemon({ agents: null }), 'pass', 'versions', 'so is the daemon', null],
  [
    daemon({ answer: healthy(1, '1.1.9') }),
    'warn',
    'versions',
    'the daemon is Leo 1.1.9',
    'kill 42; leo daemon',
  ],
  [daemon({ answer: healthy(1, '1.0.0') }), 'fail', 'versions', 'too far apart', 'kill 42; leo daemon'],
  [daemon({ answer: healthy(1, '2.2.3') }), 'fail', 'versions', 'too far apart', 'kill 42; leo daemon'],
  [
    daemon({ answer: { kind: 'silent' }, agents: null, file: file({ version: '1.2.4' }) }),
    'warn',
    'versions',
    'the daemon is Leo 1.2.4, this is Leo 1.2.3',
    'kill 42; leo daemon',
  ],
  [
    daemon({ agents: [{ name: 'rocket', versions: ['1.2.2', '1.2.3'] }] }),
    'warn',
    'versions',
    'the gateway of rocket is Leo 1.2.2, the daemon Leo 1.2.3: start its session anew',
    null,
  ],
  [
    daemon({ agents: [{ name: 'rocket', versions: ['1.3.0'] }] }),
    'warn',
    'versions',
    'the gateway of rocket is Leo 1.3.0',
    'kill 42; leo daemon',
  ],

  [{}, 'pass', 'tokens', '2 tokens, for you alone', null],
  [token({ kind: 'missing' }), 'warn', 'tokens', '/h/t is gone', 'leo reload'],
  [{ ...token({ kind: 'missing' }), ...daemon(down) }, 'pass', 'tokens', 'the first daemon makes them', null],
  [
    token({ kind: 'bad', why: '/h/t is loose', mend: 'chmod 600 /h/t' }),
    'fail',
    'tokens',
    'is loose',
    'chmod 600 /h/t',
  ],
  [
    token({ kind: 'copy', of: '/h/u' }, 'device'),
    'fail',
    'tokens',
    'holds the token of /h/u',
    'leo device rotate x',
  ],
  [token({ kind: 'copy', of: '/h/u' }), 'fail', 'tokens', 'holds the token of /h/u', 'rm /h/t && leo reload'],
  [
    { ...token({ kind: 'copy', of: '/h/u' }), ...daemon(down) },
    'fail',
    'tokens',
    'holds the token of /h/u',
    'rm /h/t',
  ],
  [
    token({ kind: 'bad', why: '/h/t is empty', mend: 'rm /h/t' }, 'device', 'phone'),
    'fail',
    'tokens',
    'is empty',
    'leo device rotate phone',
  ],
  [
    token({ kind: 'bad', why: '/h/t is loose', mend: 'chmod 600 /h/t' }, 'client', 'old'),
    'warn',
    'tokens',
    'counts for nothing',
    'leo client remove old',
  ],
  [
    token({ kind: 'good' }, 'client', 'scout'),
    'warn',
    'tokens',
    'counts for nothing',
    'leo client remove scout',
  ],
  [
    { tokens: { files: [], clients: ['scout'] } },
    'warn',
    'tokens',
    'has no token',
    'leo client rotate scout',
  ],

  [{}, 'pass', 'tmux', 'tmux 3.4', null],
  [{ tmux: { kind: 'missing' } }, 'warn', 'tmux', 'not on PATH', 'sudo apt install tmux'],
  [
    { tmux: { kind: 'missing' }, installTmux: 'brew install tmux' },
    'warn',
    'tmux',
    'not on PATH',
    'brew install tmux',
  ],
  [{ tmux: { kind: 'missing' }, installTmux: null }, 'warn', 'tmux', 'not on PATH', null],
  [
    { tmux: { kind: 'missing' }, config: { ...good.config, templates: 1 } },
    'fail',
    'tmux',
    'not on PATH',
    'sudo apt install tmux',
  ],
  [{ tmux: { kind: 'silent', path: '/bin/tmux' } }, 'warn', 'tmux', 'does not say', 'sudo apt install tmux'],
  [
    { tmux: { kind: 'found', version: 'tmux 3.1c', enough: false } },
    'warn',
    'tmux',
    'tmux 3.1c is too old',
    'sudo apt install tmux',
  ],
  [{ tmux: { kind: 'found', version: 'tmux master', enough: null } }, 'pass', 'tmux', 'tmux master', null],

  [{}, 'pass', 'harness', 'codex 0.9.0: tools through leo_app_tools; starts this Leo (user)', null],
  [harness({ program: null, version: null, set_up: [] }), 'pass', 'harness', 'codex: not on PATH', null],
  [
    harness({ set_up: [], tools: 'native' }),
    'warn',
    'harness',
    'tools as its own; not set up',
    'leo harness setup codex',
  ],
  [
    entry({ points: 'missing' }),
    'fail',
    'harness',
    '/u/f starts /node /leo.js, which is gone',
    'leo harness setup codex',
  ],
  [
    entry({ points: 'missing', scope: 'project' }),
    'fail',
    'harness',
    'which is gone',
    'leo harness setup codex --scope project',
  ],
  [entry({ points: 'another' }), 'warn', 'harness', 'starts another Leo', 'leo harness setup codex'],
  [entry({ points: 'not leo' }), 'warn', 'harness', 'starts something else', 'leo harness setup codex'],
  [entry({ points: null, error: '/u/f is broken' }), 'fail', 'harness', 'codex: /u/f is broken', null],
  [harness({ version: null }), 'warn', 'harness', 'does not say its version', '/bin/codex --version'],
  [
    harness({ version: '0.10.0' }),
    'warn',
    'harness',
    'codex 0.10.0: tools through leo_app_tools; starts this Leo (user); newer than 0.9.0, which was measured',
    'leo harness probe codex --quick --write /h/harnesscaps.json',
  ],
  [harness({ version: '0.10.0', set_up: [] }), 'warn', 'harness', 'not set up', 'leo harness setup codex'],
  [harness({ version: '0.8.9' }), 'pass', 'harness', 'codex 0.8.9', null],
  [
    harness({ version: '0.10.0', seen: [{ version: '0.10.0', relists: true }] }),
    'pass',
    'harness',
    'codex 0.10.0',
    null,
  ],
  [
    harness({ tools: 'native', seen: [{ version: '0.9.0', relists: false }] }),
    'warn',
    'harness',
    'was seen not to list them again',
    'leo harness probe codex --write /h/harnesscaps.json',
  ],

  [{}, 'pass', 'apps', 'desk: connected', null],
  [
    daemon({ groups: [{ group: 'desk', connected: false }] }),
    'pass',
    'apps',
    'desk: away, expected back',
    null,
  ],
  [daemon({ groups: [] }), 'pass', 'apps', 'none has offered a tool yet', null],
  ...(
    [
      ['2026-06-10T11:59:30Z', 'bell: last seen within the last minute'],
      ['2026-06-10T11:58:30Z', 'bell: last seen 1 minute ago'],
      ['2026-06-10T09:00:30Z', 'bell: last seen 2 hours ago'],
      ['2026-05-31T09:00:30Z', 'bell: last seen 10 days ago'],
      ['2026-06-11T09:00:30Z', 'bell: last seen within the last minute'],
    ] as const
  ).map(
    ([last_seen, text]): Row => [{ seenApps: [{ group: 'bell', last_seen }] }, 'pass', 'apps', text, null],
  ),
];

t.test('each fault has its line, and the command that mends it', (t) => {
  for (const [change, status, check, text, mend] of rows) {
    const lines = diagnose({ ...good, ...change });
    const found = lines.find((line) => line.check === check && line.text.includes(text));
    t.match(found, { status }, `${check}: ${text}`, { lines });
    t.equal(found?.mend, mend);
  }
  t.end();
});

t.test('where nothing is wrong, every check has a line and all of them pass', (t) => {
  const lines = diagnose(good);
  t.ok(lines.every(({ status, mend }) => status === 'pass' && mend === null));
  const checks = [
    'node',
    'home',
    'config',
    'socket',
    'daemon',
    'service',
    'port',
    'versions',
    'tokens',
    'tmux',
    'harness',
    'apps',
  ];
  t.same(
    lines.map(({ check }) => check),
    checks,
  );
  t.end();
});
