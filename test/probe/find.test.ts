import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { harnessPath, programOf } from '../../lib/probe/find.js';
import type { HarnessName } from '../../lib/setup/index.js';

/** A folder with these programs in it; removed with its test. */
function folderWith(t: Test, ...programs: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'leo-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const program of programs) {
    const file = join(folder, program);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, 0o755);
  }
  return folder;
}

const rows: readonly [HarnessName, string][] = [
  ['claude-code', 'node_modules/.bin/claude'],
  ['codex', 'node_modules/.bin/codex'],
  ['opencode', 'bin/opencode'],
  ['gemini-cli', 'node_modules/.bin/gemini'],
  ['copilot-cli', 'node_modules/.bin/copilot'],
  ['qwen-code', 'node_modules/.bin/qwen'],
  ['kilo', 'node_modules/@kilocode/cli-darwin-arm64/bin/kilo'],
  ['cline', 'bin/cline'],
];
for (const [harness, program] of rows) {
  t.test(`${harness} is found where npm puts it`, async (t) => {
    const prefix = folderWith(t, program);
    t.equal(programOf(harness, harnessPath('', prefix)), join(prefix, program));
  });
}

t.test('the prefix wins over PATH, and PATH is looked at without one', async (t) => {
  const prefix = folderWith(t, 'bin/claude');
  const onPath = folderWith(t, 'claude', 'codex');
  t.equal(programOf('claude-code', harnessPath(onPath, prefix)), join(prefix, 'bin', 'claude'));
  t.equal(programOf('codex', harnessPath(onPath, prefix)), join(onPath, 'codex'));
  t.equal(programOf('claude-code', harnessPath(onPath, undefined)), join(onPath, 'claude'));
  t.equal(programOf('claude-code', folderWith(t)), undefined);
});

t.test('Node is on the path, for the harnesses that are scripts of it', async (t) => {
  t.equal(harnessPath('/a', undefined), ['/a', dirname(process.execPath)].join(delimiter));
});
