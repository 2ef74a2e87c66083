import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { programVersion } from '../../../lib/setup/index.js';
import { isAlive, until } from '../../support/wait.js';
import { put, textOf } from '../surroundings.js';

function folderOf(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-version-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function program(path: string, text: string): string {
  put(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

t.test('a program from npm is not started: its package says the version', async (t) => {
  const folder = join(folderOf(t), 'node_modules', 'x');
  put(join(folder, 'package.json'), '{"version": "4.5.6"}');
  const path = program(join(folder, 'bin', 'x'), `touch ${folder}/started`);
  t.equal(await programVersion(path), '4.5.6');
  t.notOk(existsSync(join(folder, 'started')));
});

t.test('any other is asked', async (t) => {
  const rows: readonly (readonly [said: string, version: string | null])[] = [
    ['echo codex-cli 1.2.3', '1.2.3'],
    ['echo 1.2.3-beta.1; exit 1', '1.2.3-beta.1'],
    ['echo soon', null],
    ['exit 1', null],
  ];
  const folder = folderOf(t);
  for (const [index, [said, version]] of rows.entries())
    t.equal(await programVersion(program(join(folder, `program-${index}`), said)), version, said);
});

t.test('one that hangs, hears no signal and has children is ended with them', async (t) => {
  const folder = folderOf(t);
  const pids = join(folder, 'pids');
  const hangs = `trap '' TERM INT HUP\nsleep 600 &\necho $$ $! > ${pids}.new\nmv ${pids}.new ${pids}\nwait`;
  t.equal(await programVersion(program(join(folder, 'hangs'), hangs), 1500), null);
  for (const pid of textOf(pids).trim().split(' ').map(Number))
    await until(`process ${pid} is gone`, () => !isAlive(pid));
});

t.test('one whose child holds its output open says its version all the same', async (t) => {
  const path = program(join(folderOf(t), 'daemon'), 'sleep 600 &\necho 7.8.9');
  t.equal(await programVersion(path, 1500), '7.8.9');
});
