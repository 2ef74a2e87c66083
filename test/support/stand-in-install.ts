// Installs the stand-in harness as npm would: below a folder, under the name of the harness that it stands for. And
// hands it to the probe.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Figures } from '../../lib/probe/figure.js';
import type { Subject } from '../../lib/probe/measure/subject.js';
import { ordinaryPatience, type Patience } from '../../lib/probe/patience.js';
import { root } from './daemon.js';

/** In which ways a stand-in goes wrong. */
export interface Switches {
  readonly hangs?: 'at --version' | 'at the start' | 'after the call';
  /** What it writes before it exits with code 3. */
  readonly fails?: string;
  /** What it answers to `--version`. */
  readonly version?: string;
  /** It starts two processes that outlive it, and writes its pid and theirs into this file. */
  readonly children?: string;
  /** A path that it asks its model for. */
  readonly asksFor?: string;
  /** It writes lines to its MCP server that are no messages. */
  readonly saysNoJson?: boolean;
  /** Its limit for a call, where none is configured. */
  readonly callLimitMs?: number;
  readonly relists?: boolean;
  readonly progressExtends?: boolean;
}

export interface Prefix {
  readonly folder: string;
  /** Installs it under another name, too. */
  add(program: string, switches?: Switches): string;
}

/** A folder for `--prefix` with `claude` in it; removed with its test. */
export function installStandIn(t: Test, switches: Switches = {}): Prefix {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-stand-in-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  const add = (program: string, chosen: Switches = {}) => {
    const script = join(root, 'build', 'test', 'support', 'stand-in-claude.js');
    const words = [process.execPath, script, JSON.stringify(chosen)].map((word) => `'${word}'`).join(' ');
    const file = join(folder, 'bin', program);
    writeFileSync(file, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  };
  add('claude', switches);
  return { folder, add };
}

/** Long enough for a stand-in on a busy machine, except for what it never does. */
export const shortPatience: Patience = {
  ...ordinaryPatience,
  relistMs: 400,
  settleMs: 500,
  setLimitS: 2,
  defaultLimitS: { usual: 1, long: 1 },
  signMs: 10_000,
  lingerMs: 300,
};

/** A stand-in as the subject of a measurement. */
export function subjectOf(program: string, more: Partial<Subject> = {}): Subject {
  return {
    harness: 'claude-code',
    program,
    relay: join(root, 'dist', 'probe-relay.cjs'),
    path: process.env.PATH ?? '',
    patience: shortPatience,
    ...more,
  };
}

/** A stand-in with these switches, installed and ready to be measured. */
export function standIn(t: Test, switches: Switches = {}, patience: Partial<Patience> = {}): Subject {
  const program = installStandIn(t).add('claude', switches);
  return subjectOf(program, { patience: { ...shortPatience, ...patience } });
}

/** What the cells of a section say, without their evidence. */
export function valuesOf(figures: Figures | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(figures ?? {}).map(([name, { value }]) => [name, value]));
}
