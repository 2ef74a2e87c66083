// What there is to say of the home, and of the programs and apps around it.

import { daemon, down, entry, file, good, harness, type Row, token } from './good-home.js';

export const homeRows: readonly Row[] = [
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
  [{ tokens: { files: [], clients: ['operator'] } }, 'pass', 'tokens', 'there are none yet', null],
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
    { tmux: { kind: 'found', path: '/bin/tmux', version: 'tmux 3.1c', enough: false } },
    'warn',
    'tmux',
    'tmux 3.1c is too old',
    'sudo apt install tmux',
  ],
  [
    { tmux: { kind: 'found', path: '/bin/tmux', version: 'tmux master', enough: null } },
    'pass',
    'tmux',
    'tmux master',
    null,
  ],

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
