// Where a harness's own command makes the change: a stand-in for `claude` that writes as the real one does, badly, or
// not at all.

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findEntry, prepareRemoval, prepareSetup, type Target } from '../../lib/setup/index.js';
import { emptySurroundings, entry, put, textOf } from './surroundings.js';

/** The head of a program that reads ~/.claude.json into `config` and can `save` it. */
const head = `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const file = process.env.HOME + '/.claude.json';
const config = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const save = () => writeFileSync(file, JSON.stringify({ ...config, starts: 1 }, null, 2));
const [, , , verb, ...args] = process.argv;
appendFileSync(process.env.HOME + '/log', verb + '\\n');
`;
const real = `${head}
config.mcpServers ??= {};
const [, , name, json] = args;
if (verb === 'remove') delete config.mcpServers[name];
else if (name in config.mcpServers) process.exit(1);
else config.mcpServers[name] = JSON.parse(json);
save();
`;

interface Place extends Target {
  readonly file: string;
  readonly log: string;
}

function placeWith(t: Test, claude: string): Place {
  const around = emptySurroundings(t);
  const bin = join(around.home, 'a bin');
  mkdirSync(bin);
  put(join(bin, 'claude'), claude);
  chmodSync(join(bin, 'claude'), 0o755);
  return {
    harness: 'claude-code',
    scope: 'user',
    surroundings: { ...around, env: { ...around.env, PATH: bin } },
    records: join(around.home, 'records.json'),
    file: join(around.home, '.claude.json'),
    log: join(around.home, 'log'),
  };
}

t.test('the command makes the change, and what it wrote is what is undone', async (t) => {
  const place = placeWith(t, real);
  put(place.file, '{"a":1}');
  const setup = await prepareSetup(place, entry);
  t.match(setup.plan.command?.argv, [
    [/a bin\/claude$/, 'mcp', 'add-json', '--scope', 'user', 'leo', String],
  ]);
  t.match(setup.plan.changes, [{ path: place.file, before: '{"a":1}' }]);
  await setup.run();
  t.equal(textOf(place.log), 'add-json\n');
  t.match(JSON.parse(textOf(place.file)), { a: 1, starts: 1 });
  t.same((await findEntry('claude-code', 'leo', 'user', place.surroundings))?.entry, entry);
  t.same((await prepareSetup(place, entry)).plan.changes, []);
  const removal = await prepareRemoval(place, 'leo');
  t.equal(removal.plan.command, undefined);
  await removal.run();
  t.equal(textOf(place.file), '{"a":1}');
});

t.test('another entry is taken out before, and an entry of a changed file by the command', async (t) => {
  const place = placeWith(t, real);
  await (await prepareSetup(place, entry)).run();
  const other = { ...entry, args: ['/elsewhere', 'mcp-server'] };
  await (await prepareSetup(place, other)).run();
  t.equal(textOf(place.log), 'add-json\nremove\nadd-json\n');
  t.same((await findEntry('claude-code', 'leo', 'user', place.surroundings))?.entry, other);
  put(place.file, textOf(place.file).replace('"starts": 1', '"starts": 2'));
  await (await prepareRemoval(place, 'leo')).run();
  t.equal(textOf(place.log), 'add-json\nremove\nadd-json\nremove\n');
  t.same(JSON.parse(textOf(place.file)), { mcpServers: {}, starts: 1 });
});

t.test('where the command does nothing, the file is edited', async (t) => {
  for (const claude of ['#!/bin/sh\nexit 1\n', '#!/bin/sh\nexit 0\n', '#!/no/such/interpreter\n']) {
    const place = placeWith(t, claude);
    put(place.file, '{"a":1}');
    await (await prepareSetup(place, entry)).run();
    t.same((await findEntry('claude-code', 'leo', 'user', place.surroundings))?.entry, entry, claude);
    await (await prepareRemoval(place, 'leo')).run();
    t.equal(textOf(place.file), '{"a":1}', claude);
  }
});

t.test('where the command writes something else, that is said and nothing is written over it', async (t) => {
  const place = placeWith(t, `${head}config.wrong = true; save(); process.exit(1);`);
  await t.rejects(async () => (await prepareSetup(place, entry)).run(), {
    message: `${place.file} was changed by a command that then failed; look at the file, then try again`,
  });
  t.same(JSON.parse(textOf(place.file)), { wrong: true, starts: 1 });
  t.same(JSON.parse(textOf(place.records)), { version: 1, files: {} });
});

t.test('where the command takes the old entry out and then fails, the new one is written', async (t) => {
  const place = placeWith(
    t,
    real.replace(
      "if (verb === 'remove')",
      "if (verb === 'add-json' && config.starts) process.exit(1);\nif (verb === 'remove')",
    ),
  );
  await (await prepareSetup(place, entry)).run();
  const other = { ...entry, args: ['/elsewhere', 'mcp-server'] };
  await (await prepareSetup(place, other)).run();
  t.equal(textOf(place.log), 'add-json\nremove\nadd-json\n');
  t.same((await findEntry('claude-code', 'leo', 'user', place.surroundings))?.entry, other);
  t.match(JSON.parse(textOf(place.file)), { starts: 1 }, 'what else the command wrote stays');
  // The same on the way back, where the entry of before setup is put in again.
  const mine = placeWith(
    t,
    real.replace(
      "if (verb === 'remove')",
      "if (verb === 'add-json' && config.starts > 1) process.exit(1);\nif (verb === 'remove')",
    ),
  );
  put(mine.file, JSON.stringify({ mcpServers: { leo: { type: 'stdio', command: 'mine' } } }));
  await (await prepareSetup(mine, entry)).run();
  put(mine.file, textOf(mine.file).replace('"starts": 1', '"starts": 2'));
  await (await prepareRemoval(mine, 'leo')).run();
  t.match(JSON.parse(textOf(mine.file)), { mcpServers: { leo: { command: 'mine' } } });
});

t.test('a plan alone runs nothing', async (t) => {
  const place = placeWith(t, real);
  await prepareSetup(place, entry);
  t.notOk(existsSync(place.log));
});
