// Which version a harness says that it has.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTime } from '../in-time.js';
import { ordinaryPatience, type Patience } from '../patience.js';
import { ProbeError } from '../probe-error.js';
import { type HarnessProcess, lastWords, startHarness } from './harness-process.js';
import { killLeftBehind } from './left-behind.js';

export interface Asked {
  readonly program: string;
  /** PATH for it. */
  readonly path: string;
  readonly patience?: Patience;
  readonly signal?: AbortSignal;
}

/**
 * What a program answers to `--version`, run in a home of its own; `unknown` where that is no version.
 *
 * @throws {ProbeError} where it does not run, fails, or hangs.
 */
export async function versionOf({
  program,
  path,
  patience = ordinaryPatience,
  signal,
}: Asked): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'leo-probe-')));
  let asked: HarnessProcess | undefined;
  try {
    asked = startHarness(program, ['--version'], home, { HOME: home, PATH: path });
    const { ended, output, spoken } = asked;
    asked.endInput();
    const limitMs = patience.versionMs;
    const how = await inTime(ended, {
      limitMs,
      signal,
      late: () => `${program} --version hung: it was not done after ${limitMs / 1000} s`,
    });
    await spoken;
    if (how !== 'exit code 0') throw new ProbeError(`${program} --version: ${how}: ${lastWords(output())}`);
    return /\d+\.\d+\.\d+[\w.+-]*/.exec(output())?.[0].replace(/\.$/, '') ?? 'unknown';
  } finally {
    asked?.destroy();
    await killLeftBehind(home);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
