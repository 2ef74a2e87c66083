// The folder of a supervised agent below state/: the script that starts it, and the files that its harness is given.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writePrivately } from '../../config/private-file.js';
import type { Template } from '../../config/templates.js';
import { findProgram } from '../../setup/disk/find-program.js';
import type { Installation } from '../../setup/leo-entry.js';
import { LeoError } from '../../wire/errors.js';
import { agentEnvironment, namesToTakeOver } from './launch/environment.js';
import { type Launch, launchOf, machineSettingsPath } from './launch/launch.js';
import { launchScript } from './launch/script.js';
import type { NewPane } from './panes/tmux-panes.js';

export interface Prepare {
  readonly agent: string;
  readonly template: Template;
  readonly cwd: string;
  readonly prompt: string | undefined;
  readonly folder: string;
  readonly home: string;
  readonly installation: Installation;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Writes everything that an agent's start needs.
 *
 * @throws {LeoError} `unavailable` when its program is not there, `invalid_request` when what is there cannot be used.
 */
export async function prepareAgent(prepare: Prepare): Promise<NewPane> {
  const { agent, template, cwd, folder, home, installation, prompt } = prepare;
  const env = agentEnvironment(prepare.env, template.env);
  const machineSettings = await machineSettingsOf(template, env);
  const launch = launchOf({ agent, template, installation, home, prompt, folder, env, machineSettings });
  const complete = { ...env, ...launch.env };
  const program = launch.program.includes('/') ? launch.program : findProgram(launch.program, complete.PATH);
  if (program === undefined) {
    throw new LeoError(
      'unavailable',
      `there is no ${launch.program} on the PATH of the daemon: install it, or name its folder in PATH in the template's env`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(launch.files)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writePrivately(path, text);
  }
  if (launch.links !== undefined) linkAll(launch.links, launch.files);
  const script = join(folder, 'start.sh');
  writePrivately(script, launchScript(cwd, program, launch.args));
  const names = namesToTakeOver(prepare.env, complete);
  return { session: agent, cwd, script, env: complete, names };
}

/**
 * The folder in which an agent is to work. A template's workspace is made where it is missing.
 *
 * @throws {LeoError} `invalid_request` when none is said, or it is no folder.
 */
export function workFolder(asked: string | undefined, workspace: string | undefined): string {
  if (asked !== undefined) {
    if (statSync(asked, { throwIfNoEntry: false })?.isDirectory() === true) return asked;
    throw new LeoError('invalid_request', `at $.cwd: ${asked} is not a folder`);
  }
  if (workspace === undefined) {
    throw new LeoError(
      'invalid_request',
      'say where the agent is to work: --cwd DIR, or `workspace` in its template',
    );
  }
  const path = /^~(?=\/|$)/.test(workspace) ? join(homedir(), workspace.slice(1)) : workspace;
  if (!path.startsWith('/'))
    throw new LeoError('invalid_request', `the template's workspace ${workspace} must start with / or ~`);
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new LeoError('invalid_request', `the template's workspace cannot be made: ${why}`, {
      cause: error,
    });
  }
  return path;
}

/** Links to everything in a folder, but for what is there as a file of ours. */
function linkAll(links: { readonly from: string; readonly to: string }, files: Launch['files']): void {
  const { from, to } = links;
  // Made where it is missing: what the harness logs in with is to be the user's.
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(to)) {
    if (!Object.hasOwn(files, join(from, name))) symlinkSync(join(to, name), join(from, name));
  }
}

/** The machine's own settings for a harness, as far as they can be read: a harness would go on without them. */
async function machineSettingsOf(template: Template, env: NodeJS.ProcessEnv): Promise<unknown> {
  const path = machineSettingsPath(template.harness, env, process.platform);
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined; // There are none.
  }
  // Loaded by the two harnesses that have such a file.
  const { parse } = await import('jsonc-parser');
  const value: unknown = parse(text);
  return value;
}
