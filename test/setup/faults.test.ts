// Configuration files that setup must not touch: it says why, where, and what mends it.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { harnesses, prepareRemoval, prepareSetup, SetupError, type Target } from '../../lib/setup/index.js';
import { emptySurroundings, entry, everywhere, put, textOf } from './surroundings.js';

interface Fault {
  readonly what: string;
  /** Makes it at a path. */
  readonly make: (path: string) => void;
  readonly words: RegExp;
}

const shared: readonly Fault[] = [
  {
    what: 'a link',
    make: (path) => {
      put(`${path}.target`, path.endsWith('.toml') ? 'x = 1\n' : '{}\n');
      symlinkSync(`${path}.target`, path);
    },
    words:
      /is a link to \S+\.target, which Leo does not follow: put in by hand what `leo harness setup print [a-z-]+` shows/,
  },
  {
    what: 'a link to nowhere',
    make: (path) => {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync('/no/such/file', path);
    },
    words: /is a link to \/no\/such\/file, which Leo does not follow/,
  },
  {
    what: 'read-only',
    make: (path) => {
      put(path, path.endsWith('.toml') ? 'x = 1\n' : '{}\n');
      chmodSync(path, 0o444);
    },
    words: /^(\S+) is read-only: chmod u\+w \1$/,
  },
  {
    what: 'in a folder that is read-only',
    make: (path) => {
      mkdirSync(dirname(path), { recursive: true });
      chmodSync(dirname(path), 0o555);
    },
    words: /^(\S+) is read-only: chmod u\+w \1$/,
  },
  {
    what: 'a folder',
    make: (path) => mkdirSync(path, { recursive: true }),
    words: /is a folder, not a file; move it away/,
  },
  {
    what: 'a pipe',
    make: (path) => {
      mkdirSync(dirname(path), { recursive: true });
      execFileSync('mkfifo', [path]);
    },
    words: /is not a file; move it away/,
  },
  {
    what: 'a link to a pipe',
    make: (path) => {
      mkdirSync(dirname(path), { recursive: true });
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
    words: /is not a file; move it away/,
  },
  {
    what: 'not text',
    make: (path) => {
      put(path, '');
      writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    },
    words: /is not UTF-8 text; save it as UTF-8, then try again/,
  },
];

const json: readonly Fault[] = [
  {
    what: 'cut off',
    make: (path) => put(path, '{\n  "x": 1,\n  "y'),
    words: / line 3, column \d+: .*; mend the file/,
  },
  { what: 'a list', make: (path) => put(path, '[]'), words: / line 1, column 1: an object is wanted here/ },
  {
    what: 'with an entry twice',
    make: (path) => put(path, '{"mcp": {"leo": {},\n"leo": {}}, "mcpServers": {"leo": {},\n"leo": {}}}'),
    words: / line [23], column 1: "leo" stands here a second time; take one out/,
  },
];

const toml: readonly Fault[] = [
  {
    what: 'invalid',
    make: (path) => put(path, 'x = 1\ny = = 2\n'),
    words: / line 2, column \d+: .*; mend the file/,
  },
  {
    what: 'with an entry twice',
    make: (path) => put(path, '[mcp_servers.leo]\ncommand = "a"\n[mcp_servers.leo]\ncommand = "b"\n'),
    words: / line 3, column \d+: /,
  },
  {
    what: 'with its servers on one line',
    make: (path) => put(path, 'mcp_servers = { other = { command = "a" } }\n'),
    words: /; mend the file|cannot be edited safely/,
  },
];

for (const { harness, scope } of everywhere) {
  t.test(`${harness}, ${scope}: a file that is not to be touched is not`, async (t) => {
    const format = harnesses[harness].place(scope, emptySurroundings(t))?.format;
    for (const { what, make, words } of [...shared, ...(format === 'toml' ? toml : json)]) {
      const surroundings = emptySurroundings(t);
      const path = harnesses[harness].place(scope, surroundings)?.made ?? '';
      make(path);
      t.teardown(() => {
        if (lstatSync(dirname(path)).isDirectory()) chmodSync(dirname(path), 0o755);
      });
      const target: Target = {
        harness,
        scope,
        surroundings,
        records: join(surroundings.home, 'records.json'),
      };
      const found = lstatSync(path, { throwIfNoEntry: false });
      const before = found?.isFile() ? readFileSync(path) : undefined;
      const failure = await prepareSetup(target, entry).catch((error: unknown) => error);
      t.ok(failure instanceof SetupError, `${what}: ${failure}`);
      t.match(failure instanceof Error ? failure.message : '', words, what);
      t.match(failure instanceof Error ? failure.message : '', dirname(path), what);
      t.equal(lstatSync(path, { throwIfNoEntry: false })?.ino, found?.ino, what);
      if (before !== undefined) t.same(readFileSync(path), before, what);
      t.notOk(existsSync(target.records), what);
    }
  });
}

t.test('comments are refused where the harness could not read them', async (t) => {
  const surroundings = emptySurroundings(t);
  const target: Target = {
    harness: 'cline',
    scope: 'user',
    surroundings,
    records: join(surroundings.home, 'r'),
  };
  put(harnesses.cline.place('user', surroundings)?.made ?? '', '{\n  // mine\n}\n');
  await t.rejects(prepareSetup(target, entry), {
    message: / line 2, column 3: invalid comment token; mend the file/,
  });
});

t.test('a record that cannot be used stops everything, since old texts are in it', async (t) => {
  const surroundings = emptySurroundings(t);
  const records = join(surroundings.home, 'records.json');
  const target: Target = { harness: 'codex', scope: 'user', surroundings, records };
  const path = harnesses.codex.place('user', surroundings)?.made ?? '';
  put(path, 'x = 1\n');
  for (const text of ['{', '[]', '{"version": 2, "files": {}}', '{"version": 1, "files": {"/a": {}}}']) {
    put(records, text);
    await t.rejects(prepareSetup(target, entry), { message: /move it away, then try again/ }, text);
    await t.rejects(prepareRemoval(target, 'leo'), { message: /move it away, then try again/ }, text);
    t.equal(textOf(records), text);
  }
  t.equal(textOf(path), 'x = 1\n');
});

t.test('where nothing can be remembered, nothing is changed', async (t) => {
  const surroundings = emptySurroundings(t);
  put(join(surroundings.home, 'leo'), 'a file where a folder should be');
  const records = join(surroundings.home, 'leo', 'state', 'records.json');
  const target: Target = { harness: 'codex', scope: 'user', surroundings, records };
  await t.rejects(async () => (await prepareSetup(target, entry)).run(), {
    message: /records\.json cannot be /,
  });
  t.notOk(existsSync(harnesses.codex.place('user', surroundings)?.made ?? ''));
});

t.test('a harness without the scope says so', async (t) => {
  const surroundings = emptySurroundings(t);
  const target: Target = { harness: 'cline', scope: 'project', surroundings, records: '/no/such' };
  await t.rejects(prepareSetup(target, entry), {
    message: 'cline has no project scope: leave out `--scope project`',
  });
});
