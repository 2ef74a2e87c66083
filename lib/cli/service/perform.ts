// Does what a plan says, or says it.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DaemonFile, readDaemonFile } from '../../config/daemon-file.js';
import { writePrivately } from '../../config/private-file.js';
import { runProgram } from '../../service/run-program.js';
import { mayFail, type Step, stepInWords } from '../../service/steps.js';
import { ask, isNoDaemon } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say } from '../output.js';
import type { ServicePlace } from './place.js';

/** How long a daemon may take to end, in milliseconds; it needs some hundreds, and launchd kills it after 20 s. */
const endWithinMs = 30_000;
const lookEveryMs = 50;

/**
 * Takes the steps in order.
 *
 * @throws {CliError} at the first that fails, with the mend; what was done stays done.
 */
export async function perform(steps: readonly Step[], place: ServicePlace): Promise<void> {
  for (const step of steps) await take(step, place);
}

/**
 * Takes away what an install that failed has left: a manager that is not there is found out by its first command, a
 * program that cannot be started by its last.
 */
export async function undoInstall(place: ServicePlace): Promise<void> {
  const { commands, service, address } = place;
  try {
    await perform(commands.removing(service).map(mayFail), place);
  } finally {
    for (const path of [service.file, address.places.serviceFile]) rmSync(path, { force: true });
  }
}

/** Says the steps, for `--dry-run`. */
export function sayPlan(steps: readonly Step[]): void {
  say('This would be done:', ...steps.map((step) => `- ${stepInWords(step)}`));
}

async function take(step: Step, place: ServicePlace): Promise<void> {
  switch (step.kind) {
    case 'write':
      return write(step.path, step.text, step.mode);
    case 'remove':
      return rmSync(step.path, { force: true });
    case 'run': {
      const ran = await runProgram(step.command, place.env);
      // Where there is no such program, nothing that follows would work.
      if (ran.code !== 0 && (!step.mayFail || ran.missing))
        throw new CliError(place.commands.fault(step.command, ran));
      return;
    }
    case 'end daemon':
      endProcess(step.pid);
      return await waitForTheEnd(place, ({ pid }) => pid === step.pid);
    case 'wait for the end':
      // A daemon outside the service is not the one that was told to end.
      await waitForTheEnd(place, (file) => file.started_by === place.service.manager);
      return await waitUntilUnloaded(place);
  }
}

function write(path: string, text: string, mode: number): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writePrivately(path, text, mode);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new CliError(`${path} cannot be written: ${why}`, 1, { cause: error });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return;
    const why = error instanceof Error ? error.message : error;
    throw new CliError(`the daemon (pid ${pid}) cannot be ended: ${why}`, 1, { cause: error });
  }
}

async function waitForTheEnd({ address }: ServicePlace, isIt: (file: DaemonFile) => boolean): Promise<void> {
  const end = Date.now() + endWithinMs;
  while (await answers(address)) {
    // While it ends, the file is gone before the socket is.
    const file = readDaemonFile(address.places.daemonFile);
    if (file !== undefined && !isIt(file)) return;
    if (Date.now() > end) {
      const kill = file === undefined ? 'see: leo doctor' : `kill it: kill -9 ${file.pid}`;
      throw new CliError(`the daemon at ${address.socket} was told to end, and has not; ${kill}`);
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Until then it cannot be loaded again. A manager that does not say is found out by the next step. */
async function waitUntilUnloaded({ service, commands, env }: ServicePlace): Promise<void> {
  const end = Date.now() + endWithinMs;
  while (commands.readState(await runProgram(commands.askState(service), env))?.loaded === true) {
    if (Date.now() > end) throw new CliError(`${service.name} was stopped, and is still loaded; try again`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Whether a daemon listens, even one that does not answer in time. */
async function answers(address: ServicePlace['address']): Promise<boolean> {
  try {
    await ask(address, '/health');
    return true;
  } catch (error) {
    return !isNoDaemon(error);
  }
}
