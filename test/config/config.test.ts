import t from 'tap';
import { ConfigError, parseConfig } from '../../lib/config/config.js';

const fault = (text: string) => {
  try {
    parseConfig(text, 'leo.yaml');
    return undefined;
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error);
  }
};

t.test('an empty file is all defaults', async (t) => {
  for (const text of ['', '# nothing\n', '---\n']) {
    t.strictSame(parseConfig(text), {
      web: { port: 8370, bind: '127.0.0.1', allowedHosts: [] },
      daemon: { autostart: true, logLevel: 'info', logFormat: 'pretty' },
      clientTools: { reconnectGraceS: 30 },
      denyTools: [],
      agents: {},
      apiClients: {},
      templates: {},
      harnesses: {},
    });
  }
});

t.test('what is written is taken', async (t) => {
  const text = `
web: { port: 0, bind: 0.0.0.0, allowed_hosts: [leo.test] }
daemon: { autostart: false, log_level: debug, log_format: json }
client_tools: { reconnect_grace_s: 5 }
deny_tools: [take_photo, "x_*"]
agents:
  rocket: { deny_tools: [ring] }
api_clients:
  docker-scout: { can_message: [rocket, "build-*"] }
  idle: {}
harnesses:
  my-harness: { tools: native }
  codex-*: { call_limit_s: 900, progress_extends: false }
  cline: { call_limit_s: null }
`;
  t.strictSame(parseConfig(text), {
    web: { port: 0, bind: '0.0.0.0', allowedHosts: ['leo.test'] },
    daemon: { autostart: false, logLevel: 'debug', logFormat: 'json' },
    clientTools: { reconnectGraceS: 5 },
    denyTools: ['take_photo', 'x_*'],
    agents: { rocket: { denyTools: ['ring'] } },
    apiClients: { 'docker-scout': { canMessage: ['rocket', 'build-*'] }, idle: { canMessage: [] } },
    templates: {},
    harnesses: {
      'my-harness': { tools: 'native' },
      'codex-*': { callLimitS: 900, progressExtends: false },
      cline: { callLimitS: null },
    },
  });
});

t.test('templates of agents are taken, with what they do not say filled in', async (t) => {
  const text = `
templates:
  coding:
    harness: claude-code
    workspace: ~/agents
    args: [--model, opus]
    env: { PORT: 8080, DEBUG: true, NAME: x }
    deny_tools: [take_photo]
    restart: on-failure
  shell: { harness: custom, command: "while :; do sleep 1; done" }
  list: { harness: custom, command: [node, agent.js] }
  plain: { harness: codex }
`;
  const plain = {
    command: undefined,
    workspace: undefined,
    args: [],
    env: {},
    denyTools: [],
    restart: 'never',
  };
  t.strictSame(parseConfig(text).templates, {
    coding: {
      harness: 'claude-code',
      command: undefined,
      workspace: '~/agents',
      args: ['--model', 'opus'],
      env: { PORT: '8080', DEBUG: 'true', NAME: 'x' },
      denyTools: ['take_photo'],
      restart: 'on-failure',
    },
    shell: { ...plain, harness: 'custom', command: 'while :; do sleep 1; done' },
    list: { ...plain, harness: 'custom', command: ['node', 'agent.js'] },
    plain: { ...plain, harness: 'codex' },
  });
});

t.test('what is wrong is named with its line', async (t) => {
  const table: [string, string][] = [
    ['web:\n  port: 1\nwob: 2\n', 'leo.yaml line 3: unknown key `wob`'],
    ['web:\n  prot: 1\n', 'leo.yaml line 2: unknown key `web.prot`'],
    ['daemon:\n  autostart: maybe\n', 'leo.yaml line 2: daemon.autostart must be boolean'],
    ['daemon: { log_level: loud }\n', 'leo.yaml line 1: daemon.log_level '],
    ['web:\n  bind: x\n  port: 70000\n', 'leo.yaml line 3: web.port must be <= 65535'],
    ['deny_tools:\n  - a\n  - 5\n', 'leo.yaml line 3: deny_tools.1 must be string'],
    [
      'templates:\n  a:\n    workspace: x\n',
      "leo.yaml line 3: templates.a must have required property 'harness'",
    ],
    [
      'templates:\n  a: { harness: codex }\n  b c: { harness: codex }\n',
      'leo.yaml line 3: `templates.b c` is no name that can be used here',
    ],
    [
      'templates:\n  a:\n    harness: codex\n    wrokspace: x\n',
      'leo.yaml line 4: unknown key `templates.a.wrokspace`',
    ],
    [
      'templates:\n  a:\n    harness: codex\n    env:\n      A B: x\n',
      'leo.yaml line 5: `templates.a.env.A B` is no name that can be used here',
    ],
    [
      'templates:\n  a:\n    harness: codex\n    restart: always\n',
      'leo.yaml line 4: templates.a.restart must be one of ["never","on-failure"]',
    ],
    [
      'templates:\n  a:\n    harness: custom\n    command: 5\n',
      'leo.yaml line 4: templates.a.command must be string or array',
    ],
    [
      'templates:\n  a:\n    harness: custom\n',
      'leo.yaml line 3: templates.a has the harness custom: say what to run with `command`',
    ],
    [
      'templates:\n  a:\n    harness: codex\n    command: x\n',
      'leo.yaml line 4: templates.a.command is for the harness custom; what codex is to be given goes into `args`',
    ],
    [
      'harnesses:\n  x:\n    tools: maybe\n',
      'leo.yaml line 3: harnesses.x.tools must be one of ["native","fallback"]',
    ],
    ['harnesses:\n  x:\n    call_limit_s: 0\n', 'leo.yaml line 3: harnesses.x.call_limit_s must be > 0'],
    [
      'harnesses:\n  x:\n    tools: native\n    call_limit_s: soon\n',
      'leo.yaml line 4: harnesses.x.call_limit_s must be number or null',
    ],
    [
      'harnesses:\n  x:\n    progress_extends: 1\n',
      'leo.yaml line 3: harnesses.x.progress_extends must be boolean',
    ],
    ['harnesses:\n  x:\n    call_limit: 9\n', 'leo.yaml line 3: unknown key `harnesses.x.call_limit`'],
    ['harnesses:\n  x: {}\n', 'leo.yaml line 2: harnesses.x must NOT have fewer than 1 properties'],
    [
      'api_clients:\n  a: { can_message: rocket }\n',
      'leo.yaml line 2: api_clients.a.can_message must be array',
    ],
    ['api_clients:\n  a:\n    may: [x]\n', 'leo.yaml line 3: unknown key `api_clients.a.may`'],
    [
      'api_clients:\n  a: {}\n  ../b: {}\n',
      'leo.yaml line 3: `api_clients.../b` is no name that can be used here; it must match ^[a-z]',
    ],
    ['api_clients:\n  a: {}\n  a: {}\n', 'leo.yaml line 3: Map keys must be unique'],
    ['api_clients: [a]\n', 'leo.yaml line 1: api_clients must be object or null'],
    ['- a\n- b\n', 'leo.yaml line 1: the file must be object or null'],
    ['web: {\nport: 1\n', 'leo.yaml line'],
    ['web: 1\nweb: 2\n', 'leo.yaml line'],
  ];
  for (const [text, expected] of table)
    t.ok(fault(text)?.startsWith(expected), `${expected} | ${fault(text)}`);
});
