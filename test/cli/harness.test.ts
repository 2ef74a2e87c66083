// `leo harness` as a user runs it, in a home of its own in which no real harness is to be found.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { shellWord } from '../../lib/config/shell-word.js';
import { harnessNames } from '../../lib/setup/index.js';
import { put, textOf } from '../setup/surroundings.js';
import { leo } from '../support/daemon.js';
import { type Ran, runLeo } from '../support/run-leo.js';

interface Home {
  readonly path: string;
  run(...args: readonly string[]): Promise<Ran>;
}

/** @param leoHome whether LEO_HOME is another than the default. */
function homeOf(t: Test, leoHome = true): Home {
  const path = mkdtempSync(join(tmpdir(), 'leo-home-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  const bin = join(path, 'bin');
  mkdirSync(bin);
  const env = { HOME: path, PATH: bin, ...(leoHome ? { LEO_HOME: join(path, 'leo') } : {}) };
  return { path, run: (...args) => runLeo(t, env, 'harness', ...args) };
}

t.test('setup shows the change and makes it once; remove takes it back', async (t) => {
  const home = homeOf(t);
  const file = join(home.path, '.codex', 'config.toml');
  const dry = await home.run('setup', 'codex', '--agent', 'rocket', '--dry-run');
  t.equal(dry.code, 0, dry.stderr);
  t.match(dry.stdout, `--- /dev/null\n+++ ${file}\n@@ -0,0 +1,5 @@\n+[mcp_servers.leo]\n`);
  t.match(dry.stdout, '\nNothing was changed. Do it: the same without --dry-run\n');
  t.notOk(existsSync(file));
  t.notOk(existsSync(join(home.path, 'leo')));

  const done = await home.run('setup', 'codex', '--agent', 'rocket');
  t.equal(done.code, 0, done.stderr);
  t.equal(done.stdout.split('\n\n')[0], dry.stdout.split('\n\n')[0]);
  t.match(done.stdout, 'codex is set up. Undo it: leo harness remove codex\n');
  t.match(done.stdout, 'codex is not on your PATH yet');
  const entry = [
    '[mcp_servers.leo]',
    `command = "${process.execPath}"`,
    `args = ["${realpathSync(leo)}", "mcp-server", "--agent", "rocket", "--call-timeout", "3600"]`,
    `env = { LEO_HOME = "${join(home.path, 'leo')}" }`,
    'tool_timeout_sec = 3600',
    '',
  ];
  t.equal(textOf(file), entry.join('\n'));

  const again = await home.run('setup', 'codex', '--agent', 'rocket');
  t.equal(again.code, 0);
  t.match(again.stdout, /^codex is set up already; nothing changed\.\n/);
  t.notMatch(again.stdout, '@@');

  const removed = await home.run('remove', 'codex');
  t.equal(removed.code, 0, removed.stderr);
  t.match(removed.stdout, '\nLeo is taken out of codex. Set it up again: leo harness setup codex\n');
  t.notOk(existsSync(join(home.path, '.codex')));
  t.match((await home.run('remove', 'codex')).stdout, /^codex is not set up; nothing changed\.\n$/);
});

t.test('--json says what changed', async (t) => {
  const home = homeOf(t, false);
  const args = ['qwen-code', '--json'];
  const path = join(home.path, '.qwen', 'settings.json');
  const setup = JSON.parse((await home.run('setup', ...args)).stdout);
  const files = [{ path, diff: /^--- \/dev\/null\n/ }];
  t.match(setup, {
    harness: 'qwen-code',
    scope: 'user',
    dry_run: false,
    changed: true,
    call_limit_s: 3600,
    files,
  });
  t.notMatch(textOf(path), 'LEO_HOME', 'the default home needs no variable');
  t.match(JSON.parse((await home.run('setup', ...args)).stdout), { changed: false, files: [] });
  t.match(JSON.parse((await home.run('remove', ...args, '--dry-run')).stdout), {
    dry_run: true,
    changed: true,
  });
  t.ok(existsSync(path));
  t.match(JSON.parse((await home.run('remove', ...args)).stdout), { dry_run: false, changed: true });
  t.notOk(existsSync(path));
});

t.test('a limit of the user is kept and given to the gateway', async (t) => {
  const home = homeOf(t);
  const file = join(home.path, '.cline', 'data', 'settings', 'cline_mcp_settings.json');
  put(file, '{"mcpServers": {"leo": {"command": "x", "timeout": 90}}}\n');
  const { stdout } = await home.run('setup', 'cline');
  t.match(stdout, 'Its calls may take 90 s, as you had set.\n');
  t.match(textOf(file), '"timeout": 90');
  t.match(textOf(file), '"--call-timeout", "90"');
});

t.test('a file that cannot be changed is exit code 1, with the reason', async (t) => {
  const home = homeOf(t);
  const file = join(home.path, '.gemini', 'settings.json');
  put(file, '{\n  "a": 1,\n}\n');
  const broken = await home.run('setup', 'gemini-cli');
  t.equal(broken.code, 1);
  t.equal(broken.stdout, '');
  t.match(broken.stderr, `leo: ${file} line 3, column 1: `);
  put(file, '{}\n');
  chmodSync(file, 0o444);
  const locked = await home.run('setup', 'gemini-cli');
  t.equal(locked.code, 1);
  t.equal(locked.stderr, `leo: ${file} is read-only: chmod u+w ${file}\n`);
  t.equal(textOf(file), '{}\n');
  t.equal((await home.run('setup', 'cline', '--scope', 'project')).code, 1);
});

t.test('print shows what any other harness takes', async (t) => {
  const home = homeOf(t);
  const { code, stdout } = await home.run('setup', 'print', '--agent', 'a b');
  t.equal(code, 0);
  const args = [realpathSync(leo), 'mcp-server', '--agent', 'a b'];
  const variable = join(home.path, 'leo');
  const block = { mcpServers: { leo: { command: process.execPath, args, env: { LEO_HOME: variable } } } };
  t.match(stdout, JSON.stringify(block, null, 2));
  t.match(
    stdout,
    `\nLEO_HOME=${variable} ${process.execPath} ${shellWord(realpathSync(leo))} mcp-server --agent 'a b'\n`,
  );
  const json = await home.run('setup', 'print', '--agent', 'a b', '--json');
  t.same(JSON.parse(json.stdout), block);
  const form = await home.run('setup', 'print', 'codex');
  t.match(form.stdout, /^\[mcp_servers\.leo\]\ncommand = /);
  t.match((await home.run('setup', 'print', 'kilo')).stdout, /"type": "local"/);
  t.equal((await home.run('setup', 'codex', 'kilo')).code, 2);
  t.same(readdirSync(home.path), ['bin']);
});

t.test('list shows every harness: whether it is there, set up, and by which Leo', async (t) => {
  const home = homeOf(t);
  const codex = join(home.path, 'bin', 'codex');
  put(codex, '#!/bin/sh\necho codex-cli 1.2.3\n');
  chmodSync(codex, 0o755);
  await home.run('setup', 'codex');
  put(join(home.path, '.qwen', 'settings.json'), '{');
  const cline = join(home.path, '.cline', 'data', 'settings', 'cline_mcp_settings.json');
  put(cline, '{"mcpServers": {"leo": {"command": "/gone/node", "args": ["/gone/leo.js", "mcp-server"]}}}');
  const copilot = join(home.path, '.copilot', 'mcp-config.json');
  put(copilot, '{"mcpServers": {"leo": {"command": "lion"}}}');
  const other = join(home.path, 'leo.js');
  put(other, '');
  const kilo = join(home.path, '.config', 'kilo', 'kilo.json');
  put(kilo, JSON.stringify({ mcp: { leo: { command: [process.execPath, other, 'mcp-server'] } } }));

  const seen = [
    { name: 'claude-code', version: '2.0.0', relisted_at: null, missed_at: '2026-01-01T00:00:00.000Z' },
    {
      name: 'qwen-cli-mcp-client-leo',
      version: '0.1',
      relisted_at: '2026-01-02T00:00:00.000Z',
      missed_at: null,
    },
  ];
  put(join(home.path, 'leo', 'state', 'harnesses.json'), JSON.stringify({ harnesses: seen }));
  put(join(home.path, 'leo', 'leo.yaml'), 'harnesses: { kilo: { tools: fallback } }\n');

  const { code, stdout } = await home.run('list');
  t.equal(code, 0);
  t.match(stdout, /^HARNESS +VERSION +TOOLS +SEEN IN USE +SET UP$/m);
  for (const name of harnessNames) t.match(stdout, new RegExp(`^${name} `, 'm'));
  t.match(
    stdout,
    new RegExp(`^codex +1\\.2\\.3 +fallback +- +user: ${home.path}/\\.codex/config\\.toml$`, 'm'),
  );
  t.match(stdout, /^claude-code +not on PATH +native +2\.0\.0: does not re-list +no$/m);
  t.match(
    stdout,
    new RegExp(`^cline .*user: ${cline} starts /gone/node /gone/leo\\.js, which is gone$`, 'm'),
  );
  t.match(stdout, new RegExp(`^copilot-cli .*user: ${copilot} is not Leo$`, 'm'));
  t.match(stdout, new RegExp(`^kilo .*user: ${kilo} starts another Leo, ${other}$`, 'm'));
  t.match(stdout, /^kilo +not on PATH +fallback /m);
  t.match(stdout, /^qwen-code .*0\.1: re-lists/m);
  t.match(stdout, /^qwen-code .*settings\.json line 1, column 2: close brace expected/m);
  t.match(stdout, 'leo harness setup print');

  const { harnesses } = JSON.parse((await home.run('list', '--json')).stdout);
  t.match(harnesses[1], {
    name: 'codex',
    program: codex,
    version: '1.2.3',
    tools: 'fallback',
    seen: [],
    set_up: [{ scope: 'user', points: 'this', error: null }],
  });
});

t.test('list takes a word of leo.yaml for the harness that the gateway takes it for', async (t) => {
  type Tools = 'native' | 'fallback';
  const rows: readonly (readonly [key: string, said: Tools, name: string, tools: Tools])[] = [
    ['qwen-code', 'native', 'qwen-code', 'native'],
    ['qwen-cli-mcp-client-leo', 'native', 'qwen-code', 'native'],
    ['"qwen-cli-*"', 'native', 'qwen-code', 'native'],
    ['"gemini-cli*"', 'fallback', 'gemini-cli', 'fallback'],
    ['Qwen-Code', 'native', 'qwen-code', 'fallback'],
    ['claude', 'fallback', 'claude-code', 'native'],
  ];
  for (const [key, said, name, tools] of rows) {
    const home = homeOf(t);
    put(join(home.path, 'leo', 'leo.yaml'), `harnesses: { ${key}: { tools: ${said} } }\n`);
    const { harnesses } = JSON.parse((await home.run('list', '--json')).stdout);
    t.match(
      harnesses.find((one: { name: string }) => one.name === name),
      { tools },
      key,
    );
  }
});
