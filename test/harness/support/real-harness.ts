// A real harness, as npm installed it below test/harness, in a home of its own, set up for Leo, between a real daemon
// and a scripted model. Ended with its test.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { type Conversation, startConversation, type Turn } from '../../../lib/probe/conversation.js';
import { harnessPath, programOf } from '../../../lib/probe/find.js';
import type { RunPlace } from '../../../lib/probe/harnesses/driver.js';
import { drivers } from '../../../lib/probe/harnesses/drivers.js';
import { baseEnvironment } from '../../../lib/probe/harnesses/environment.js';
import {
  type HarnessProcess,
  lastWords,
  startHarness,
} from '../../../lib/probe/harnesses/harness-process.js';
import { killLeftBehind } from '../../../lib/probe/harnesses/left-behind.js';
import type { OfferedTool } from '../../../lib/probe/model/conversation.js';
import { startModel } from '../../../lib/probe/model/model-server.js';
import { startTrace, traceLine } from '../../../lib/probe/trace.js';
import { applyPlan, entryWith, type HarnessName, planEntry } from '../../../lib/setup/index.js';
import type { JsonObject } from '../../../lib/wire/json.js';
import { leo, type RunningDaemon, root } from '../../support/daemon.js';

/** Only what is pinned here is tested, never what the user has on PATH. */
const path = harnessPath('', join(root, 'test', 'harness'));

export interface RealHarness {
  readonly agent: string;
  readonly conversation: Conversation;
  /** Starts it with one prompt. */
  once(prompt: string): HarnessProcess;
}

export interface RealHarnessOptions {
  readonly daemon: RunningDaemon;
  readonly agent: string;
  /** A call limit to set, in seconds; without it, `leo harness setup` sets what it sets. */
  readonly callLimitS?: number;
}

/** Why the tests of a harness are skipped: it is not installed here, whatever else is on PATH. False where it is. */
export function notInstalled(harness: HarnessName): string | false {
  const program = programOf(harness, path);
  const here = program?.startsWith(join(root, 'test', 'harness')) === true;
  return !here && `${harness} is not installed below test/harness`;
}

/** Sets a harness up and makes it ready to be started. */
export async function realHarness(
  t: Test,
  harness: HarnessName,
  { daemon, agent, callLimitS }: RealHarnessOptions,
): Promise<RealHarness> {
  const program = programOf(harness, path) ?? harness;
  const driver = drivers[harness];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-harness-')));
  const trace = startTrace();
  const conversation = startConversation(trace);
  const model = await startModel(conversation.script);
  const processes: HarnessProcess[] = [];
  const place: RunPlace = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    modelPort: model.port,
    serverName: 'leo',
  };
  t.teardown(async () => {
    for (const process of processes) process.destroy();
    await killLeftBehind(place.home);
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    if (t.passing()) return;
    for (const entry of trace.entries) t.comment(traceLine(entry));
    for (const process of processes) t.comment(lastWords(process.output()));
  });
  mkdirSync(place.project, { recursive: true });
  for (const [name, text] of Object.entries(driver.files(place))) {
    mkdirSync(dirname(join(place.home, name)), { recursive: true });
    writeFileSync(join(place.home, name), text);
  }
  mkdirSync(place.home, { recursive: true });
  const env = { ...baseEnvironment(place.home, path), ...driver.env(place), TMPDIR: tmpdir() };
  if (callLimitS === undefined) {
    await leoSetup(harness, agent, place.project, { ...env, LEO_HOME: daemon.home });
  } else {
    const entry = entryWith({ node: process.execPath, leo, home: daemon.home }, agent, callLimitS);
    const plan = await planEntry(harness, entry, 'user', { home: place.home, project: place.project, env });
    await applyPlan({ ...plan, command: undefined });
  }
  return {
    agent,
    conversation,
    once: (prompt) => {
      const started = startHarness(program, driver.once(prompt, place), place.project, env);
      started.endInput();
      processes.push(started);
      void started.ended.then((how) => conversation.fail(new Error(`${harness} ended (${how})`)));
      return started;
    },
  };
}

/** `leo harness setup`, as its user types it. */
async function leoSetup(
  harness: HarnessName,
  agent: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, [leo, 'harness', 'setup', harness, '--agent', agent], { cwd, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`leo harness setup ${harness} ended with ${String(code)}:\n${said}`);
}

/** How an app's tool is reached from where the model stands. */
export type Mode = 'native' | 'fallback';

/** The tool of Leo with this name, as the harness offers it. */
export function offered(turn: Turn, name: string): OfferedTool | undefined {
  return turn.request.tools.find(
    (tool) => tool.name === name || tool.name.endsWith(`_${name}`) || tool.name.endsWith(`-${name}`),
  );
}

/**
 * The turn at which a harness that re-lists offers a tool. A gateway answers the first list at once, whether or not
 * the daemon has told it of the tools yet; until they have come, the model looks around. On a busy machine Claude
 * Code begins a turn before its servers have answered, and offers its model a tool to wait for them.
 */
export async function whenOffered(turn: Turn, mode: Mode, name: string): Promise<Turn> {
  let now = turn;
  for (let look = 0; mode === 'native' && look < 50 && offered(now, name) === undefined; look += 1) {
    now = await now.call(offered(now, 'leo_list_agents') ?? needed(now, 'WaitForMcpServers'));
  }
  return now;
}

/** Calls an app's tool in the way that the harness is served, and resolves with the next request. */
export async function callTool(turn: Turn, mode: Mode, name: string, args: JsonObject = {}): Promise<Turn> {
  return await turn.call(...callOf(turn, mode, name, args));
}

/** The same, without waiting for anything. */
export function startTool(turn: Turn, mode: Mode, name: string, args: JsonObject = {}): void {
  turn.start(...callOf(turn, mode, name, args));
}

function callOf(turn: Turn, mode: Mode, name: string, args: JsonObject): [OfferedTool, JsonObject] {
  return mode === 'native'
    ? [needed(turn, name), args]
    : [needed(turn, 'leo_app_call'), { tool: name, args }];
}

export function needed(turn: Turn, name: string): OfferedTool {
  const tool = offered(turn, name);
  if (tool !== undefined) return tool;
  throw new Error(
    `${name} is not offered; there are ${turn.request.tools.map((one) => one.name).join(', ')}`,
  );
}

/** What the last call came back with. */
export function lastAnswer(turn: Turn): string {
  return turn.request.answers.at(-1)?.text ?? '';
}
