import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  applyPlan,
  findEntry,
  type HarnessName,
  harnesses,
  planEntry,
  prepareRemoval,
  prepareSetup,
  raisedLimit,
  type Scope,
  type Target,
} from '../../lib/setup/index.js';
import { emptySurroundings, entry, everywhere, put, textOf } from './surroundings.js';

function targetOf(t: Test, harness: HarnessName, scope: Scope): Target & { readonly path: string } {
  const surroundings = emptySurroundings(t);
  const path = harnesses[harness].place(scope, surroundings)?.made ?? '';
  return {
    harness,
    scope,
    surroundings,
    records: join(surroundings.home, 'leo', 'state', 'setup.json'),
    path,
  };
}

async function setUp(target: Target, wanted = entry): Promise<string | undefined> {
  const { plan, run } = await prepareSetup(target, wanted);
  await run();
  return plan.changes[0]?.path;
}

async function remove(target: Target): Promise<number> {
  const { plan, run } = await prepareRemoval(target, 'leo');
  await run();
  return plan.changes.length;
}

interface Dialect {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  readonly byteOrderMark: boolean;
}

/** Files as they may lie there, for a harness that keeps its servers under a key. */
function filesOf(servers: string, format: 'toml' | Dialect): readonly (readonly [string, string])[] {
  if (format === 'toml') {
    return [
      ['empty', ''],
      ['only comments', '# mine\n'],
      ['other settings', 'model = "x" # why\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "y"\n'],
      ['CRLF and no newline at its end', 'model = "x"\r\n[tui]\r\ntheme = "y"'],
      ['tabs', '[mcp_servers]\n\t[mcp_servers.other]\n\tcommand = "x"\n'],
      ['a byte order mark', '\ufeffmodel = "x"\n'],
      [
        'an old entry',
        '[mcp_servers.leo] # old\ncommand = "x"\nenabled = true\n[mcp_servers.leo.env]\nA = "b"\n',
      ],
      ['an entry of another kind', '[mcp_servers.leo]\nurl = "http://x"\n'],
    ];
  }
  const others = `{\n\t"theme": "x",\n\t"${servers}": {\n\t\t"other": {"command": ["x"]}\n\t}\n}\n`;
  const all: readonly (readonly [string, string, boolean])[] = [
    ['empty', '', true],
    ['an empty object', '{}', true],
    ['tabs and other servers', others, true],
    ['CRLF', others.replaceAll('\n', '\r\n'), true],
    ['no newline at its end', others.trimEnd(), true],
    ['one line', `{"${servers}":{"other":{}},"z":[1,2]}`, true],
    ['an old entry', `{"${servers}": {"leo": {"command": "x", "mine": [1]}, "z": {}}}\n`, true],
    ['an entry of another kind', `{"${servers}": {"leo": {"url": "http://x", "type": "http"}}}\n`, true],
    [
      'comments',
      `// a\n{ /* b */\n  "${servers}": { // c\n    "o": {} // d\n  } // e\n} // f\n`,
      format.comments,
    ],
    ['trailing commas', `{\n  "${servers}": {\n    "o": {},\n  },\n}\n`, format.trailingCommas],
    ['a byte order mark', `\ufeff${others}`, format.byteOrderMark],
  ];
  return all.filter(([, , taken]) => taken).map(([what, text]) => [what, text]);
}

for (const { harness, scope } of everywhere) {
  t.test(`${harness}, ${scope}: remove restores what was there, byte for byte`, async (t) => {
    const { format } = harnesses[harness].place(scope, emptySurroundings(t)) ?? {};
    const files: readonly (readonly [string, string | null])[] = [
      ['no file', null],
      ...filesOf(harnesses[harness].servers, format ?? 'toml'),
    ];
    for (const [what, text] of files) {
      const target = targetOf(t, harness, scope);
      if (text !== null) put(target.path, text);
      t.equal(await setUp(target), target.path, what);
      t.match((await findEntry(harness, 'leo', scope, target.surroundings))?.entry, entry, what);
      const written = textOf(target.path);
      t.equal(await setUp(target), undefined, `${what}: a second time changes nothing`);
      t.equal(textOf(target.path), written);
      await setUp(target, { ...entry, args: ['/elsewhere', 'mcp-server'] });
      t.not(textOf(target.path), written, `${what}: another entry takes its place`);
      t.equal(await remove(target), 1, what);
      if (text === null) t.notOk(existsSync(target.path), what);
      else t.equal(textOf(target.path), text, what);
      if (text?.includes('leo')) await t.rejects(remove(target), { message: /does not start Leo/ }, what);
      else t.equal(await remove(target), 0, `${what}: there is no more to remove`);
    }
  });

  t.test(`${harness}, ${scope}: what the user has changed since stays`, async (t) => {
    const { servers } = harnesses[harness];
    for (const there of [false, true]) {
      const target = targetOf(t, harness, scope);
      const toml = target.path.endsWith('.toml');
      const before = toml ? '[tui]\ntheme = "y"\n' : '{\n  "y": 1\n}\n';
      if (there) put(target.path, before);
      await setUp(target);
      const mine = toml ? '[mcp_servers.mine]\ncommand = "m"\n' : '"mine": {"command": ["m"]},';
      const changed = toml
        ? `${mine}\n${textOf(target.path)}`
        : textOf(target.path).replace(/"leo"/, `${mine}\n    "leo"`);
      put(target.path, changed);
      t.equal(await setUp(target), undefined);
      // The same again after another setup over what the user made of it.
      if (there) await setUp(target, { ...entry, args: ['/elsewhere', 'mcp-server'] });
      t.equal(await remove(target), 1);
      const left = textOf(target.path);
      t.notMatch(left, 'leo');
      t.match(left, toml ? mine : '"mine"');
      if (there) t.match(left, toml ? 'theme' : '"y": 1');
      t.match(left, servers);
      t.equal(await remove(target), 0);
    }
  });
}

t.test('folders and objects that setup made go with the entry, and no others', async (t) => {
  const target = targetOf(t, 'copilot-cli', 'project');
  await setUp(target);
  await remove(target);
  t.same(readdirSync(target.surroundings.project), []);
  await setUp(target);
  put(join(target.surroundings.project, '.github', 'workflow'), 'x');
  await remove(target);
  t.same(readdirSync(join(target.surroundings.project, '.github')), ['workflow']);
  // Changed since: `{"mcpServers": …}` was made, the rest is the user's.
  put(target.path, '{\n  "a": 1\n}\n');
  await setUp(target);
  put(target.path, textOf(target.path).replace('"a": 1', '"a": 2'));
  await remove(target);
  t.equal(textOf(target.path), '{\n  "a": 2\n}\n');
});

t.test('an entry that the user had is put back, also into a file that was changed since', async (t) => {
  for (const [harness, before, mark] of [
    ['gemini-cli', '{"mcpServers": {"leo": {"command": "mine", "trust": true}}, "a": 1}', '"a": 1'],
    ['codex', '[mcp_servers.leo]\ncommand = "mine"\nenabled = false\n\n[a]\nx = 1\n', 'x = 1'],
  ] as const) {
    const target = targetOf(t, harness, 'user');
    put(target.path, before);
    await setUp(target);
    t.match(
      textOf(target.path),
      harness === 'codex' ? 'enabled = false' : '"trust": true',
      'the rest of it stays',
    );
    put(target.path, textOf(target.path).replace(mark, mark.replace('1', '2')));
    await remove(target);
    t.match((await findEntry(harness, 'leo', 'user', target.surroundings))?.entry, {
      command: 'mine',
      args: [],
      env: {},
      callLimitS: undefined,
    });
    t.match(textOf(target.path), mark.replace('1', '2'));
  }
});

t.test('an entry that is neither of setup nor of Leo is not removed', async (t) => {
  const target = targetOf(t, 'cline', 'user');
  put(target.path, '{"mcpServers": {"leo": {"command": "lion"}}}');
  await t.rejects(remove(target), { message: /does not start Leo; take it out by hand/ });
  // One of Leo that nobody recorded is.
  put(target.path, '{"mcpServers": {"leo": {"command": "node", "args": ["leo.js", "mcp-server"]}}}');
  t.equal(await remove(target), 1);
  t.equal(textOf(target.path), '{"mcpServers": {}}');
});

t.test('variables of the user stay, and LEO_HOME follows', async (t) => {
  const target = targetOf(t, 'opencode', 'user');
  await setUp(target);
  put(target.path, textOf(target.path).replace('"LEO_HOME"', '"MINE": "x",\n        "LEO_HOME"'));
  await setUp(target, { ...entry, env: {} });
  const found = await findEntry('opencode', 'leo', 'user', target.surroundings);
  t.same(found?.entry.env, { MINE: 'x' });
});

t.test('an entry that says the same in another writing is left as it is', async (t) => {
  const target = targetOf(t, 'gemini-cli', 'user');
  await setUp(target);
  put(target.path, JSON.stringify(JSON.parse(textOf(target.path))));
  t.equal(await setUp(target), undefined);
  const codex = targetOf(t, 'codex', 'user');
  await setUp(codex);
  const { LEO_HOME } = entry.env;
  const table = `[mcp_servers.leo.env]\nLEO_HOME = ${JSON.stringify(LEO_HOME)}\n`;
  put(codex.path, textOf(codex.path).replace(/^env = .*\n/m, '') + table);
  t.equal(await setUp(codex), undefined);
});

t.test('a file keeps its mode, and a new one is the user’s alone', async (t) => {
  const target = targetOf(t, 'codex', 'user');
  await setUp(target);
  t.equal(statSync(target.path).mode & 0o777, 0o600);
  t.equal(statSync(target.records).mode & 0o777, 0o600);
  put(target.path, 'x = 1\n');
  chmodSync(target.path, 0o640);
  await setUp(target);
  t.equal(statSync(target.path).mode & 0o777, 0o640);
  await remove(target);
  t.equal(statSync(target.path).mode & 0o777, 0o640);
});

t.test('a limit that the user has raised is taken over', (t) => {
  const rows: readonly (readonly [HarnessName, string, number | undefined])[] = [
    ['codex', '[mcp_servers.leo]\ntool_timeout_sec = 330\n', 330],
    ['codex', '[mcp_servers.leo]\ntool_timeout_sec = 20.5\n', undefined],
    ['gemini-cli', '{"mcpServers": {"leo": {"timeout": 620000}}}', 620],
    ['gemini-cli', '{"mcpServers": {"leo": {"timeout": 20000}}}', undefined],
    ['cline', '{"mcpServers": {"leo": {"timeout": 90}}}', 90],
    ['kilo', '{"mcp": {"leo": {"timeout": 90000}}}', 90],
    ['opencode', '{"experimental": {"mcp_timeout": 700000}}', 700],
    ['claude-code', '{"mcpServers": {"leo": {"timeout": 7200000}}}', 7200],
    ['copilot-cli', '{"mcpServers": {"leo": {"timeout": "x"}}}', undefined],
    ['qwen-code', '', undefined],
  ];
  for (const [harness, text, limit] of rows) {
    const { surroundings, path } = targetOf(t, harness, 'user');
    put(path, text);
    t.equal(raisedLimit(harness, 'leo', 'user', surroundings, 3600), limit, `${harness} ${text}`);
  }
  t.end();
});

t.test('each harness is looked for where its variables say', async (t) => {
  const rows: readonly (readonly [HarnessName, string, string])[] = [
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
    ['codex', 'CODEX_HOME', 'config.toml'],
    ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.jsonc'],
    ['gemini-cli', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
    ['copilot-cli', 'COPILOT_HOME', 'mcp-config.json'],
    ['kilo', 'XDG_CONFIG_HOME', 'kilo/kilo.jsonc'],
    ['cline', 'CLINE_DIR', 'data/settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_DATA_DIR', 'settings/cline_mcp_settings.json'],
    ['cline', 'CLINE_MCP_SETTINGS_PATH', ''],
  ];
  for (const [harness, variable, path] of rows) {
    const { home, project } = emptySurroundings(t);
    const elsewhere = join(home, 'else where');
    const env = { PATH: '', [variable]: elsewhere };
    const plan = await planEntry(harness, entry, 'user', { home, project, env });
    t.equal(plan.changes[0]?.path, join(elsewhere, path), variable);
  }
});

t.test('of several files the one is taken that holds the entry, else the one that is there', async (t) => {
  const surroundings = emptySurroundings(t);
  const folder = join(surroundings.home, '.config', 'opencode');
  const chosen = async () => (await planEntry('opencode', entry, 'user', surroundings)).changes[0]?.path;
  put(join(folder, 'config.json'), '{}');
  t.equal(await chosen(), join(folder, 'config.json'));
  put(join(folder, 'opencode.json'), '{}');
  t.equal(await chosen(), join(folder, 'opencode.json'));
  put(join(folder, 'config.json'), '{"mcp": {"leo": {}}}');
  t.equal(await chosen(), join(folder, 'config.json'));
  const older = join(surroundings.home, '.claude', '.config.json');
  put(older, '{}');
  t.equal((await planEntry('claude-code', entry, 'user', surroundings)).changes[0]?.path, older);
});

t.test('a file that somebody changes after it was looked at is left alone', async (t) => {
  const target = targetOf(t, 'qwen-code', 'user');
  const { run } = await prepareSetup(target, entry);
  put(target.path, '{"theirs": 1}');
  await t.rejects(run(), { message: /was changed by somebody else just now; try again/ });
  t.equal(textOf(target.path), '{"theirs": 1}');
  const plan = await planEntry('qwen-code', entry, 'user', target.surroundings);
  put(target.path, '{"theirs": 2}');
  await t.rejects(applyPlan(plan), { message: /changed by somebody else/ });
  t.equal(await remove(target), 0, 'nothing is remembered of what was not done');
});
