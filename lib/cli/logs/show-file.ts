// Prints the end of a file, and what is added to it.

import { type FileHandle, open, stat } from 'node:fs/promises';
import { CliError } from '../failure.js';
import { printable } from '../table.js';
import type { Wanted } from './show-log.js';

/** How much of a file is looked through for its last lines, in bytes. */
const mostBytes = 8 * 1024 * 1024;
const lookEveryMs = 250;

/** @throws {CliError} where it cannot be read. */
export async function showFile(path: string, { lines, follow }: Wanted): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    const none = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = none ? 'does not exist: no daemon has written to it yet' : `cannot be read: ${error}`;
    throw new CliError(`the log ${path} ${why}`, 1, { cause: error });
  }
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - mostBytes);
    const text = await read(file, start, size);
    write(lastLines(text, lines));
    for (let at = size; follow; ) {
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      const now = (await stat(path).catch(() => undefined))?.size ?? at;
      // A daemon that starts on a large file begins it anew.
      if (now < at) at = 0;
      if (now > at) write(await read(file, at, now));
      at = now;
    }
  } finally {
    await file.close();
  }
}

/** The last lines of a text, each whole. Pure. */
export function lastLines(text: string, lines: number): string {
  const all = text.split('\n');
  const open = all.at(-1) === '' ? 1 : 0;
  return all.slice(Math.max(0, all.length - open - lines)).join('\n');
}

async function read(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString('utf8', 0, bytesRead);
}

function write(text: string): void {
  process.stdout.write(printable(text));
}
