// A home and a project of a test's own, in which harnesses are set up.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { harnessNames, type Scope, type ServerEntry, type Surroundings } from '../../lib/setup/index.js';

/** Empty folders, removed with the test. No harness is on its PATH. */
export function emptySurroundings(t: Test): Surroundings {
  const home = mkdtempSync(join(tmpdir(), 'leo-setup-'));
  t.teardown(() => rmSync(home, { recursive: true, force: true }));
  const project = join(home, 'project');
  mkdirSync(project);
  return { home, project, env: { HOME: home, PATH: '' } };
}

export const entry: ServerEntry = {
  name: 'leo',
  command: '/opt/node 20/bin/node',
  args: ['/opt/leo/bin/leo.js', 'mcp-server', '--agent', 'rocket', '--call-timeout', '3600'],
  env: { LEO_HOME: '/srv/leo "home"\\x' },
  callLimitS: 3600,
};

/** Every harness with every scope that it has. */
export const everywhere = harnessNames.flatMap((harness) =>
  (['user', 'project'] as const satisfies readonly Scope[])
    .filter((scope) => harness !== 'cline' || scope === 'user')
    .map((scope) => ({ harness, scope })),
);

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A file's text, with its byte order mark. */
export function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}
