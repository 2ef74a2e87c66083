// What `leo completion` prints, in the shells that are here.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import t from 'tap';
import { commandNodes, known } from '../../lib/cli/completion/tree.js';
import { put } from '../setup/surroundings.js';
import { completing } from '../support/bash-completion.js';
import { leo, root, startDaemon, temporaryHome } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { LinkAgent } from '../support/link-agent.js';
import { runLeo } from '../support/run-leo.js';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

t.test('bash completes commands, options, what they take, and names of what there is', async (t) => {
  const config = 'templates: { coding: { harness: codex } }\napi_clients: { scout: {} }\n';
  const daemon = await startDaemon(t, { config });
  const { env, socket, home } = daemon;
  await startApp(t, socket, 'bell', [
    { name: 'ring_bell', handler: () => 'done' },
    { name: 'tune', handler: () => 'done' },
  ]);
  // Somebody else's text, and a shell would run it.
  const name = 'x $(touch ran) `touch ran`';
  await LinkAgent.start(t, { socket, agent: name });
  await LinkAgent.start(t, { socket, agent: 'rocket' });
  put(join(home, 'state', 'devices', 'phone.token'), '');

  const { stdout: script } = await runLeo(t, env, 'completion', 'bash');
  const complete = completing(t, script, { ...env, HOME: home });
  const rows: readonly (readonly [words: readonly string[], offered: readonly string[] | RegExp])[] = [
    [['stat'], ['status']],
    [[''], /^daemon mcp-server .*\bhelp$/],
    [
      ['harness', ''],
      ['setup', 'remove', 'list', 'probe', 'help'],
    ],
    [
      ['harness', 'setup', 'c'],
      ['claude-code', 'codex', 'copilot-cli', 'cline'],
    ],
    [['harness', 'setup', 'print', 'k'], ['kilo']],
    [
      ['harness', 'setup', '--'],
      ['--agent', '--scope', '--dry-run', '--json', '--help'],
    ],
    [['harness', 'setup', 'codex', '--sc'], ['--scope']],
    [
      ['harness', 'setup', 'codex', '--scope', ''],
      ['user', 'project'],
    ],
    [['harness', 'setup', '--scope', '=', 'pro'], ['project']],
    [
      ['harness', 'setup', '--scope', '='],
      ['user', 'project'],
    ],
    [['harness', 'setup', '--scope', 'user', 'qw'], ['qwen-code']],
    [['harness', 'probe', 'codex', 'kilo', 'op'], ['opencode']],
    [['mcp-server', '--harness', 'gem'], ['gemini-cli']],
    [['help', 'val'], ['validate']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'help'],
    ],
    [['validate', 'READ'], ['README.md']],
    [
      ['app', 'run', 'pack'],
      ['package.json', 'package-lock.json'],
    ],
    [['agent', 'spawn', 'x', '--cwd', 'li'], ['lib']],
    [
      ['call', ''],
      ['ring_bell', 'tune'],
    ],
    [['call', 'r'], ['ring_bell']],
    [['call', 'ring_bell', ''], []],
    [['call', '--args', ''], []],
    [['call', '--agent', 'r'], ['rocket']],
    [['agent', 'stop', 'x'], ['x\\ \\$\\(touch\\ ran\\)\\ \\`touch\\ ran\\`']],
    [['agent', 'spawn', ''], ['coding']],
    [['client', 'rotate', ''], ['scout']],
    [['device', 'remove', ''], ['phone']],
    [['status', '--', ''], []],
    [['bogus', ''], []],
  ];
  for (const [words, offered] of rows) {
    const found = complete(words);
    const line = `leo ${words.join(' ')}`;
    if (offered instanceof RegExp) t.match(found.join(' '), offered, line);
    else t.same([...found].sort(), [...offered].sort(), line);
  }
  t.notOk(existsSync(join(root, 'ran')));

  daemon.child.kill('SIGSTOP');
  t.same(complete(['call', '']), [], 'a stopped daemon is no error');
  await daemon.end('SIGKILL');
  t.same(complete(['call', '']), [], 'nor is none');
});

t.test('zsh and fish take their scripts', async (t) => {
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  for (const shell of ['zsh', 'fish']) {
    const { stdout, code } = await runLeo(t, env, 'completion', shell);
    t.equal(code, 0);
    for (const word of [
      'mcp-server',
      '--call-timeout',
      'harness setup --scope',
      'copilot-cli',
      'names tools',
    ])
      t.match(stdout, word, `${shell}: ${word}`);
    if (!has(shell)) continue;
    const file = join(env.LEO_HOME, `leo.${shell}`);
    put(file, stdout);
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    t.equal(`${status} ${stderr}`, '0 ', shell);
  }
});

t.test('fish offers what bash does', { skip: !has('fish') && 'there is no fish' }, async (t) => {
  const home = temporaryHome(t);
  put(join(home, 'leo.yaml'), 'api_clients: { scout: {} }\n');
  put(join(home, 'leo'), `#!/bin/sh\nexec '${process.execPath}' '${leo}' "$@"\n`);
  chmodSync(join(home, 'leo'), 0o755);
  const env = { ...process.env, LEO_HOME: home, HOME: home, PATH: `${home}:${process.env.PATH ?? ''}` };
  const { stdout } = await runLeo(t, env, 'completion', 'fish');
  const file = join(home, 'leo.fish');
  put(file, stdout);
  const rows: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ['leo stat', ['status']],
    ['leo harness setup c', ['claude-code', 'codex', 'copilot-cli', 'cline']],
    ['leo harness setup codex --scope ', ['user', 'project']],
    ['leo harness setup codex --scope=pro', ['--scope=project']],
    ['leo harness probe codex op', ['opencode']],
    ['leo harness setup --dry', ['--dry-run']],
    ['leo client rotate ', ['scout']],
    [`${home}/leo client rotate `, ['scout']],
    ['leo call --args ', []],
  ];
  for (const [line, offered] of rows) {
    const args = ['--no-config', '-c', `source ${file}; complete -C '${line}'`];
    const ran = spawnSync('fish', args, { encoding: 'utf8', cwd: root, env });
    const words = ran.stdout
      .split('\n')
      .filter(Boolean)
      .map((one) => one.split('\t')[0]);
    t.same(words.sort(), [...offered].sort(), `${line}|${ran.stderr}`);
  }
});

t.test('zsh offers what bash does', { skip: !has('zsh') && 'there is no zsh' }, async (t) => {
  const home = temporaryHome(t);
  put(join(home, 'leo.yaml'), 'templates: { coding: { harness: codex } }\napi_clients: { scout: {} }\n');
  const { stdout } = await runLeo(t, { ...process.env, LEO_HOME: home }, 'completion', 'zsh');
  const file = join(home, 'leo.zsh');
  put(file, stdout);
  put(join(home, 'leo'), `#!/bin/sh\nexec '${process.execPath}' '${leo}' "$@"\n`);
  chmodSync(join(home, 'leo'), 0o755);
  // The builtins of zsh's line editor, which say what they were given; it filters by what is typed itself.
  const program = `
    compdef() {}
    compset() { words[CURRENT]="\${words[CURRENT]#*=}" }
    compadd() { shift; print -rl -- "$@" }
    _describe() { print -rl -- "\${(@)\${(@P)@[-1]}%%:*}" }
    _files() { print -r -- "files $*" }
    source "$1"
    words=("\${@:2}"); CURRENT=$#words
    _leo`;
  const rows: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
    [['stat'], ['status']],
    [
      ['harness', 'setup', 'c'],
      ['claude-code', 'codex', 'copilot-cli', 'cline'],
    ],
    [['harness', 'setup', 'codex', '--sc'], ['--scope']],
    [
      ['harness', 'setup', 'codex', '--scope', ''],
      ['user', 'project'],
    ],
    [['harness', 'setup', '--scope=pro'], ['project']],
    [['harness', 'probe', 'codex', 'kilo', 'op'], ['opencode']],
    [['help', 'val'], ['validate']],
    [['validate', ''], ['files ']],
    [['agent', 'spawn', 'x', '--cwd', ''], ['files -/']],
    [['agent', 'spawn', ''], ['coding']],
    [['client', 'rotate', ''], ['scout']],
    [['call', '--args', ''], []],
    [['status', '--', ''], []],
  ];
  for (const [words, offered] of rows) {
    const env = { ...process.env, LEO_HOME: home, PATH: `${home}:${process.env.PATH ?? ''}` };
    const args = ['-f', '-c', program, 'zsh', file, 'leo', ...words];
    const ran = spawnSync('zsh', args, { encoding: 'utf8', cwd: root, env });
    const typed = (words.at(-1) ?? '').replace(/^--[a-z]+=/, '');
    const found = ran.stdout.split('\n').filter((word) => word !== '' && word.startsWith(typed));
    t.same(found.sort(), [...offered].sort(), `leo ${words.join(' ')}|${ran.stderr}`);
    t.equal(ran.stderr, '');
  }
});

t.test(
  'what is known beyond the declarations is known of arguments and options that there are',
  async (t) => {
    const { stdout } = await runLeo(t, { ...process.env, LEO_HOME: temporaryHome(t) }, 'completion', 'bash');
    for (const [key, values] of Object.entries(known)) {
      const words = key.split(' ');
      const last = words.at(-1) ?? '';
      const said =
        values.kind === 'names' ? `names ${values.of}` : values.kind === 'words' ? 'words ' : values.kind;
      const place = last.startsWith('-') ? `'${key}')` : `'${words.slice(0, -1).join(' ')} `;
      const row = stdout.split('\n').find((line) => line.includes(place) && line.includes(`'${said}`));
      t.ok(row, key);
    }
  },
);

t.test('a command of any shape has its place in the tree', (t) => {
  const program = new Command('leo').helpCommand(false);
  program
    .command('paint')
    .argument('<file.yaml>', 'what')
    .argument('[colours...]')
    .option('-o, --out <dir>', 'where')
    .option('--dry', 'no');
  program.command('secret', { hidden: true });
  t.match(commandNodes(program), [
    { path: [], commands: [{ name: 'paint' }] },
    {
      path: ['paint'],
      options: [
        { names: ['-o', '--out'], takes: { kind: 'folders' } },
        { names: ['--dry'], takes: undefined },
        { names: ['-h', '--help'] },
      ],
      args: [{ kind: 'files' }, { kind: 'text' }],
      variadic: true,
    },
  ]);
  t.equal(commandNodes(program).length, 2);
  t.end();
});
