// What bash offers after a line, by the script that `leo completion bash` prints.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { leo, root } from './daemon.js';

/** The words as readline splits a line, the last of them being typed. */
export type Completion = (words: readonly string[]) => readonly string[];

/** @param env of the shell; a `leo` is put in front of its PATH. */
export function completing(t: Test, script: string, env: NodeJS.ProcessEnv): Completion {
  const folder = mkdtempSync(join(tmpdir(), 'leo-bash-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'leo.bash');
  writeFileSync(file, script);
  writeFileSync(join(folder, 'leo'), `#!/bin/sh\nexec '${process.execPath}' '${leo}' "$@"\n`);
  chmodSync(join(folder, 'leo'), 0o755);
  return (words) => {
    const program = `
      source "$1" || exit 1
      shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
      _leo leo "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
      if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; fi`;
    const { stdout, stderr, status } = spawnSync(
      'bash',
      ['--norc', '--noprofile', '-c', program, 'bash', file, 'leo', ...words],
      { encoding: 'utf8', cwd: root, env: { ...env, PATH: `${folder}:${env.PATH ?? ''}` } },
    );
    if (status !== 0 || stderr !== '') throw new Error(`bash ended with ${status}: ${stderr}`);
    return stdout.split('\n').filter(Boolean);
  };
}
