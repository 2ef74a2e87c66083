// A home in which nothing is wrong, as the doctor finds it, and what changes one thing about it.

import type { Answer, DaemonFacts, Facts, TokenFileFacts } from '../../lib/doctor/facts.js';
import type { HarnessLook } from '../../lib/setup/index.js';

export const healthy = (uptimeS = 100, version = '1.2.3'): Answer => ({ kind: 'leo', version, uptimeS });
export const socket = '/h/state/leo.sock';

export const look: HarnessLook = {
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

export const good: Facts = {
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
  tmux: { kind: 'found', path: '/bin/tmux', version: 'tmux 3.4', enough: true },
  installTmux: 'sudo apt install tmux',
  harnesses: [look],
  harnessCapsFault: null,
  seenApps: [],
};

export const file = (change: Partial<NonNullable<DaemonFacts['file']>>): DaemonFacts['file'] =>
  good.daemon.file && { ...good.daemon.file, ...change };
export const daemon = (change: Partial<DaemonFacts>): Partial<Facts> => ({
  daemon: { ...good.daemon, ...change },
});
export const down = {
  state: 'none',
  mode: null,
  answer: { kind: 'refused' },
  agents: null,
  groups: null,
} as const;
export const service = (change: Partial<NonNullable<Facts['service']>>): Partial<Facts> => ({
  service: {
    manager: 'systemd',
    name: 'leo.service',
    gone: null,
    leo: '/leo.js',
    isThis: true,
    unseen: [],
    lingers: true,
    remote: false,
    ...change,
  },
  ...daemon({ serviceInstalled: true, file: file({ service: true }) }),
});
export const harness = (change: Partial<HarnessLook>): Partial<Facts> => ({
  harnesses: [{ ...look, ...change }],
});
export const entry = (change: Partial<HarnessLook['set_up'][number]>): Partial<Facts> =>
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
export const token = (
  state: TokenFileFacts['state'],
  role: TokenFileFacts['role'] = 'operator',
  name = 'x',
) => ({
  tokens: { files: [{ path: '/h/t', role, name, state }], clients: [] },
});

/** The line that is expected: `status check: text → mend`, the parts of the text that count. */
export type Row = readonly [
  change: Partial<Facts>,
  status: string,
  check: string,
  text: string,
  mend: string | null,
];
