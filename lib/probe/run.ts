// One run of one harness: folders of its own, a scripted model, the probe's MCP server, and the harness between
// them. Whatever happens in it, afterwards no process and no file of it is left.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyPlan, type HarnessName, planEntry } from '../setup/index.js';
import { type Conversation, startConversation } from './conversation.js';
import type { Driver, RunPlace } from './harnesses/driver.js';
import { drivers } from './harnesses/drivers.js';
import { baseEnvironment } from './harnesses/environment.js';
import { type HarnessProcess, lastWords, startHarness } from './harnesses/harness-process.js';
import { kill, killLeftBehind } from './harnesses/left-behind.js';
import { type HarnessSession, openSession } from './harnesses/session.js';
import { inTime } from './in-time.js';
import { startModel } from './model/model-server.js';
import { ordinaryPatience, type Patience } from './patience.js';
import { ProbeError } from './probe-error.js';
import { type ProbeServer, type ServerContent, startProbeServer } from './server/probe-server.js';
import { startTrace, type Trace } from './trace.js';

export interface RunOptions {
  readonly harness: HarnessName;
  /** The harness's program. */
  readonly program: string;
  /** The file of the relay (server/relay.ts, built). */
  readonly relay: string;
  /** PATH for the harness. */
  readonly path: string;
  readonly content: ServerContent;
  readonly serverName?: string;
  /** Milliseconds that the server outlives its end. */
  readonly lingerMs?: number;
  /** The call limit to set in the harness's configuration, in seconds. */
  readonly callLimitS?: number;
  /** More environment for the harness. */
  readonly env?: Readonly<Record<string, string>>;
  /** Environment for the server, as the harness's configuration gives it. */
  readonly entryEnv?: Readonly<Record<string, string>>;
  /** Files of the harness that are changed once the server's entry is in them, as paths below its home. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>;
  /** How long each thing is waited for; a harness may hang in any of its ways. */
  readonly patience?: Patience;
  /** After how many milliseconds the run is given up, where it takes longer than others. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

export interface Run {
  readonly trace: Trace;
  readonly conversation: Conversation;
  readonly server: ProbeServer;
  readonly project: string;
  /** The harness's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts the harness with one prompt, after which it ends. */
  once(prompt: string): HarnessProcess;
  /** The same in the session before. */
  resumed(prompt: string): HarnessProcess;
  /** Starts the harness for several prompts. */
  session(): Promise<{ readonly process: HarnessProcess; readonly session: HarnessSession }>;
}

/** Runs a harness as the story wants, and takes everything away again. */
export async function withRun<T>(options: RunOptions, story: (run: Run) => Promise<T>): Promise<T> {
  const { patience = ordinaryPatience, signal } = options;
  const limitMs = options.limitMs ?? patience.runMs;
  const left = leftovers();
  try {
    // A harness says where it runs in resolved paths, and macOS' folder for temporary files is a link.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'leo-probe-')));
    left.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
    const trace = startTrace();
    const conversation = startConversation(trace, patience.requestMs);
    const model = await startModel(conversation.script);
    left.push(model.close);
    const server = await startProbeServer(join(folder, 'relay.sock'), options.content, trace);
    left.push(server.close);
    const stage = await setStage(options, folder, model.port);
    const harnesses = startHarnesses(options, stage, trace, conversation);
    left.push(() => harnesses.end(server.living()));
    const told = story({
      trace,
      conversation,
      server,
      project: stage.place.project,
      environment: stage.env,
      once: (prompt) => harnesses.start(stage.driver.once(prompt, stage.place), true),
      resumed: (prompt) => {
        const args = stage.driver.resumed?.(prompt, stage.place);
        if (args === undefined) throw new ProbeError('it takes a session up by its id alone');
        return harnesses.start(args, true);
      },
      session: async () => {
        const { kind, args } = stage.driver.session;
        const harness = harnesses.start(args(stage.place), false);
        const session = await openSession(kind, harness, stage.place.project, patience.turnMs);
        return { process: harness, session };
      },
    });
    return await inTime(told, {
      limitMs,
      signal,
      late: () => `the harness hung: it was not done after ${limitMs / 1000} s: ${harnesses.words()}`,
    }).catch((error: unknown) => {
      throw withUnknown(error, model.unknown);
    });
  } finally {
    await left.away();
  }
}

/** What has to be taken away, the last first. */
function leftovers() {
  const steps: (() => Promise<void>)[] = [];
  return {
    push: (step: () => Promise<void>) => {
      steps.push(step);
    },
    away: async () => {
      for (const step of steps.reverse()) await step();
    },
  };
}

/** What a harness asked its model for in vain may be why the run failed. */
function withUnknown(error: unknown, unknown: readonly string[]): unknown {
  if (!(error instanceof Error) || unknown.length === 0) return error;
  const asked = [...new Set(unknown)].join(', ');
  return new ProbeError(
    `${error.message} (the scripted model was asked for ${asked}, which it does not have)`,
    {
      cause: error,
    },
  );
}

/** All that a harness finds when it is started. */
interface Stage {
  readonly driver: Driver;
  readonly place: RunPlace;
  readonly env: Readonly<Record<string, string>>;
}

async function setStage(options: RunOptions, folder: string, modelPort: number): Promise<Stage> {
  const driver = drivers[options.harness];
  const place: RunPlace = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    modelPort,
    serverName: options.serverName ?? 'leo',
  };
  await mkdir(place.project, { recursive: true });
  await writeFiles(place.home, driver.files(place));
  const env = { ...baseEnvironment(place.home, options.path), ...driver.env(place), ...options.env };
  const plan = await planEntry(
    options.harness,
    {
      name: place.serverName,
      command: process.execPath,
      args: [options.relay, join(folder, 'relay.sock'), String(options.lingerMs ?? 0)],
      env: options.entryEnv ?? {},
      callLimitS: options.callLimitS,
    },
    'user',
    { home: place.home, project: place.project, env },
  );
  await applyPlan({ ...plan, command: undefined });
  for (const [name, edit] of Object.entries(options.edits ?? {})) {
    const path = join(place.home, name);
    await writeFile(path, edit(await readFile(path, 'utf8')));
  }
  return { driver, place, env };
}

async function writeFiles(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(home, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** The processes of one run's harness, one after the other. */
function startHarnesses(
  { program }: RunOptions,
  { driver, place, env }: Stage,
  trace: Trace,
  conversation: Conversation,
) {
  const processes: HarnessProcess[] = [];
  let over = false;
  return {
    words: () => lastWords(processes.map((harness) => harness.output()).join('\n')),
    start: (args: readonly string[], endInput: boolean): HarnessProcess => {
      // A story that was given up may go on for a while: it must start nothing that nobody ends.
      if (over) throw new ProbeError('the run is over');
      conversation.restart();
      const harness = startHarness(program, args, place.project, env);
      trace.add({ kind: 'harness', what: `started: ${driver.programs[0]} ${args.join(' ')}` });
      processes.push(harness);
      if (endInput) harness.endInput();
      void harness.ended.then(async (how) => {
        trace.add({ kind: 'harness', what: `ended: ${how}` });
        await harness.spoken;
        if (processes.at(-1) !== harness) return;
        conversation.fail(
          new ProbeError(`the harness ended too early (${how}): ${lastWords(harness.output())}`),
        );
      });
      return harness;
    },
    /** Ends them, the servers that they left, and every wait for them. */
    end: async (servers: readonly number[]) => {
      over = true;
      for (const harness of processes) harness.destroy();
      for (const pid of servers) kill(pid);
      await killLeftBehind(place.home);
      trace.end();
      conversation.fail(new ProbeError('the run is over'));
    },
  };
}
