// A user of a machine on which something is wrong, and what `leo doctor` says to that.

import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Line } from '../../../lib/doctor/line.js';
import { put } from '../../setup/surroundings.js';
import { temporaryHome } from '../../support/daemon.js';
import { type Ran, runLeo } from '../../support/run-leo.js';

export interface Case {
  /** HOME; LEO_HOME is `leo` in it, unless the case says otherwise. */
  readonly user: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A user of whose machine nothing is found: no harness, no tmux. */
export function newCase(t: Test, name = 'leo'): Case {
  const user = realpathSync(temporaryHome(t));
  const home = join(user, name);
  const bin = join(user, 'bin');
  mkdirSync(bin);
  mkdirSync(home, { mode: 0o700 });
  return { user, home, env: { HOME: user, PATH: bin, LEO_HOME: home } };
}

export interface Diagnosis extends Ran {
  readonly ok: boolean;
  readonly lines: readonly Line[];
}

export async function doctor(t: Test, env: Readonly<Record<string, string | undefined>>): Promise<Diagnosis> {
  const ran = await runLeo(t, env, 'doctor', '--json');
  t.equal(ran.stderr, '');
  return { ...ran, ...JSON.parse(ran.stdout) };
}

/** Checks one line, and that the exit code goes with whether anything has failed. */
export function says(
  t: Test,
  { code, ok, lines }: Diagnosis,
  check: string,
  status: string,
  text: string,
  mend?: string,
) {
  const found = lines.find((line) => line.check === check && line.text.includes(text));
  t.match(found, { status, ...(mend === undefined ? {} : { mend }) }, `${check}: ${text}`, { lines });
  t.equal(ok, !lines.some((line) => line.status === 'fail'));
  t.equal(code, ok ? 0 : 1);
}

/** Everything below a folder: what it is, its mode, when it was changed, what it holds. */
export function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { mode, mtimeMs } = lstatSync(path);
      return `${name} ${mode} ${mtimeMs} ${lstatSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`;
    });
}

export function program(path: string, script: string): void {
  put(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
