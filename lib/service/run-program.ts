// Runs a service manager's program to its end. The edge.

import { spawn } from 'node:child_process';
import type { ServiceCommand } from './steps.js';

export interface Ran {
  /** null for a signal. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** There is no such program. */
  readonly missing: boolean;
}

/** Why a program failed, in its own words on one line. */
export function whatItSaid({ code, out, err }: Ran): string {
  return (err.trim() || out.trim() || `exit code ${code}`).replace(/\s+/g, ' ');
}

/** How long a manager may take, in milliseconds; systemd waits 15 s for a daemon that does not end. */
const withinMs = 60_000;

export function runProgram({ program, args }: ServiceCommand, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    let out = '';
    let err = '';
    const ended = (code: number | null, missing = false) => {
      clearTimeout(late);
      resolve({ code, out, err, missing });
    };
    // Its words are looked into, so they are to be English.
    const child = spawn(program, [...args], {
      env: { ...env, LC_ALL: 'C', SYSTEMD_COLORS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not by spawn's own option: its clock goes on where there is no such program.
    const late = setTimeout(() => {
      err += `no answer within ${withinMs / 1000} s`;
      child.kill('SIGKILL');
    }, withinMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      err += error.message;
      ended(null, error.code === 'ENOENT');
    });
    child.on('close', (code) => ended(code));
  });
}
