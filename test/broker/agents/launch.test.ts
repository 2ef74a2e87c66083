import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import t from 'tap';
import { agentEnvironment, namesToTakeOver } from '../../../lib/broker/agents/launch/environment.js';
import { type LaunchRequest, launchOf } from '../../../lib/broker/agents/launch/launch.js';
import { launchScript } from '../../../lib/broker/agents/launch/script.js';
import type { SupervisedHarness } from '../../../lib/config/templates.js';

const home = '/home/me/my "leo"';
const gateway = ['/opt/leo/bin/leo.js', 'mcp-server', '--agent', 'rocket', '--call-timeout', '3600'];
const plain = { command: '/opt/node', args: gateway, env: { LEO_HOME: home }, timeout: 3_600_000 };

function request(harness: SupervisedHarness, more: Partial<LaunchRequest> = {}): LaunchRequest {
  return {
    agent: 'rocket',
    template: { harness, command: undefined, args: ['--model', 'm'] },
    installation: { node: '/opt/node', leo: '/opt/leo/bin/leo.js', home },
    home,
    prompt: '-x "it"; now',
    folder: '/state/agents/rocket',
    env: {},
    machineSettings: undefined,
    ...more,
  };
}
const own = { LEO_AGENT: 'rocket', LEO_HOME: home };

t.test('claude-code: a flag with the entry, then the arguments, then the prompt', async (t) => {
  const { program, args, env, files } = launchOf(request('claude-code'));
  const [config = '', ...rest] = args;
  t.equal(program, 'claude');
  t.strictSame(rest, ['--model', 'm', '--', '-x "it"; now']);
  const timeout = 100_000_000;
  t.strictSame(JSON.parse(config.replace('--mcp-config=', '')), {
    mcpServers: {
      leo: { type: 'stdio', ...plain, args: [...gateway.slice(0, -1), '100000'], timeout },
    },
  });
  t.strictSame([env, files], [own, {}]);
});

t.test('codex: one setting with the entry, in place of another of its name', async (t) => {
  const { program, args } = launchOf(request('codex'));
  t.equal(program, 'codex');
  t.strictSame([args[0], ...args.slice(2)], ['-c', '--model', 'm', '--', '-x "it"; now']);
  t.strictSame(JSON.parse(JSON.stringify(parse(args[1] ?? ''))), {
    mcp_servers: {
      leo: { command: '/opt/node', args: gateway, env: { LEO_HOME: home }, tool_timeout_sec: 3600 },
    },
  });
});

t.test('copilot-cli: a flag with the entry', async (t) => {
  const { program, args } = launchOf(request('copilot-cli'));
  t.equal(program, 'copilot');
  t.strictSame(args.slice(1), ['--model', 'm', '--interactive=-x "it"; now']);
  t.strictSame(JSON.parse((args[0] ?? '').replace('--additional-mcp-config=', '')), {
    mcpServers: { leo: { type: 'local', ...plain, tools: ['*'] } },
  });
});

t.test('opencode: a variable with the entry, beside what is in it already', async (t) => {
  const before = { OPENCODE_CONFIG_CONTENT: '{"model":"a/b","mcp":{"leo":{"enabled":false},"x":{}}}' };
  const { program, args, env } = launchOf(request('opencode', { env: before }));
  t.equal(program, 'opencode');
  t.strictSame(args, ['--model', 'm', '--prompt=-x "it"; now']);
  const { OPENCODE_CONFIG_CONTENT: content = '', ...rest } = env;
  t.strictSame(rest, own);
  t.strictSame(JSON.parse(content), {
    model: 'a/b',
    mcp: {
      leo: {
        type: 'local',
        command: ['/opt/node', ...gateway],
        environment: { LEO_HOME: home },
        timeout: 3_600_000,
        enabled: true,
      },
      x: {},
    },
  });
  const broken = request('opencode', { env: { OPENCODE_CONFIG_CONTENT: '[]' } });
  t.throws(() => launchOf(broken), { code: 'invalid_request', message: /OPENCODE_CONFIG_CONTENT/ });
});

t.test('gemini-cli and qwen-code: a file of settings, with the machine’s own in it', async (t) => {
  const rows = [
    ['gemini-cli', 'gemini', 'GEMINI_CLI', '/etc/gemini-cli', '/Library/Application Support/GeminiCli'],
    ['qwen-code', 'qwen', 'QWEN_CODE', '/etc/qwen-code', '/Library/Application Support/QwenCode'],
  ] as const;
  for (const [harness, program, variable, linux, mac] of rows) {
    const machineSettings = { telemetry: { enabled: false }, mcpServers: { x: {}, leo: { url: 'y' } } };
    const launch = launchOf(request(harness, { machineSettings }), 'linux');
    const path = '/state/agents/rocket/settings.json';
    t.equal(launch.program, program);
    t.strictSame(launch.args, ['--model', 'm', '--prompt-interactive=-x "it"; now']);
    t.strictSame(launch.env, {
      ...own,
      [`${variable}_SYSTEM_SETTINGS_PATH`]: path,
      [`${variable}_SYSTEM_DEFAULTS_PATH`]: `${linux}/system-defaults.json`,
    });
    t.strictSame(JSON.parse(launch.files[path] ?? ''), {
      telemetry: { enabled: false },
      mcpServers: { x: {}, leo: plain },
    });
    const onMac = launchOf(request(harness), 'darwin');
    t.equal(onMac.env[`${variable}_SYSTEM_DEFAULTS_PATH`], `${mac}/system-defaults.json`);
    const moved = launchOf(
      request(harness, { env: { [`${variable}_SYSTEM_SETTINGS_PATH`]: '/mine/s.json' } }),
    );
    t.equal(moved.env[`${variable}_SYSTEM_DEFAULTS_PATH`], '/mine/system-defaults.json');
  }
});

t.test('custom: any command line, and the prompt as a variable', async (t) => {
  const env = { ...own, LEO_PROMPT: '-x "it"; now' };
  const template = { harness: 'custom', args: ['a b'] } as const;
  const shell = launchOf(request('custom', { template: { ...template, command: 'run "$1"' } }));
  t.strictSame(shell, { program: '/bin/sh', args: ['-c', 'run "$1"', 'sh', 'a b'], env, files: {} });
  const list = launchOf(
    request('custom', { template: { ...template, command: ['node', 'x'] }, prompt: undefined }),
  );
  t.strictSame(list, { program: 'node', args: ['x', 'a b'], env: own, files: {} });
});

t.test('without a prompt, no word of one', async (t) => {
  for (const harness of [
    'claude-code',
    'codex',
    'opencode',
    'gemini-cli',
    'copilot-cli',
    'qwen-code',
  ] as const)
    t.equal(launchOf(request(harness, { prompt: undefined })).args.at(-1), 'm', harness);
});

t.test('the environment is the daemon’s, without marks of harnesses and terminals', async (t) => {
  const daemon = {
    PATH: '/bin',
    API_KEY: 'x',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_USE_BEDROCK: '1',
    LEO_AGENT: 'other',
    OPENCODE: '1',
    OPENCODE_CONFIG: '/c',
    GEMINI_CLI: '1',
    GEMINI_API_KEY: 'k',
    npm_config_user_agent: 'n',
    TMUX: '/tmp/x',
    TERM: 'dumb',
    PWD: '/',
    GONE: undefined,
  };
  const env = agentEnvironment(daemon, { PATH: '/mine', TERM_LIKE: 'y' });
  t.strictSame(env, {
    PATH: '/mine',
    API_KEY: 'x',
    CLAUDE_CODE_USE_BEDROCK: '1',
    OPENCODE_CONFIG: '/c',
    GEMINI_API_KEY: 'k',
    TERM_LIKE: 'y',
  });
  const names = namesToTakeOver(daemon, { ...env, 'BASH_FUNC_x%%': '() { :; }' });
  for (const name of ['PATH', 'API_KEY', 'CLAUDECODE', 'LEO_AGENT', 'npm_config_user_agent'])
    t.ok(names.includes(name), `${name} is set, or taken out of what an older server has`);
  for (const name of ['TERM', 'TMUX', 'BASH_FUNC_x%%']) t.notOk(names.includes(name), name);
});

t.test('the script gives every word as it is, and is gone once it has run', async (t) => {
  const folder = t.testdir({ 'a #{b};': {} });
  const words = ['-n', "it's", '$(id) `id`', 'two\nlines', '✓ ;', '', '%1'];
  const script = join(folder, 'start.sh');
  const print = 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))';
  const cwd = join(folder, 'a #{b};');
  writeFileSync(script, launchScript(cwd, process.execPath, ['-e', print, '--', ...words]));
  const said: unknown = JSON.parse(execFileSync('/bin/sh', [script], { encoding: 'utf8' }));
  t.match(said, { 0: /a #\{b\};$/ });
  t.strictSame(Array.isArray(said) && said.slice(1), words);
  t.notOk(existsSync(script));
  writeFileSync(script, launchScript(join(folder, 'none'), process.execPath, []));
  t.throws(() => execFileSync('/bin/sh', [script], { stdio: 'ignore' }), { status: 72, message: /failed/ });
});
