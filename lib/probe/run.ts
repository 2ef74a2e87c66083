// One run of one harness: folders of its own, a scripted model, the probe's MCP server, and the harness between
// them. Whatever happens in it, afterwards no process and no file of it is left.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyPlan, type HarnessName, planEntry } from '../setup/index.js';
import { type Conversation, startConversation } from './conversation.js';
import type { RunPlace } from './harnesses/driver.js';
import { drivers } from './harnesses/drivers.js';
import { baseEnvironment } from './harnesses/environment.js';
import { type HarnessProcess, startHarness } from './harnesses/harness-process.js';
import { type HarnessSession, lastWords, openSession } from './harnesses/session.js';
import { startModel } from './model/model-server.js';
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
  /** After how many milliseconds the run is given up; a harness may hang in any of its ways. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

const ordinaryLimitMs = 150_000;

export interface Run {
  readonly trace: Trace;
  readonly conversation: Conversation;
  readonly server: ProbeServer;
  readonly unknownToModel: readonly string[];
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
  const driver = drivers[options.harness];
  // A harness says where it runs in resolved paths, and macOS' folder for temporary files is a link.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'leo-probe-')));
  const processes: HarnessProcess[] = [];
  const trace = startTrace();
  const conversation = startConversation(trace);
  const model = await startModel(conversation.script);
  const server = await startProbeServer(join(folder, 'relay.sock'), options.content, trace);
  try {
    const place: RunPlace = {
      home: join(folder, 'home'),
      project: join(folder, 'project'),
      modelPort: model.port,
      serverName: options.serverName ?? 'leo',
    };
    await mkdir(place.project, { recursive: true });
    await writeFiles(place.home, driver.files(place));
    const env = {
      ...baseEnvironment(place.home, options.path),
      ...driver.env(place),
      ...options.env,
    };
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
    const start = (args: readonly string[], endInput: boolean) => {
      conversation.restart();
      const harness = startHarness(options.program, args, place.project, env);
      trace.add({ kind: 'harness', what: `started: ${driver.programs[0]} ${args.join(' ')}` });
      processes.push(harness);
      if (endInput) harness.endInput();
      void harness.ended.then((how) => {
        trace.add({ kind: 'harness', what: `ended: ${how}` });
        conversation.fail(
          new ProbeError(`the harness ended too early (${how}): ${lastWords(harness.output())}`),
        );
      });
      return harness;
    };
    return await inTime(
      options,
      processes,
      story({
        trace,
        conversation,
        server,
        unknownToModel: model.unknown,
        project: place.project,
        environment: env,
        once: (prompt) => start(driver.once(prompt, place), true),
        resumed: (prompt) => start(driver.resumed(prompt, place), true),
        session: async () => {
          const harness = start(driver.session.args(place), false);
          return {
            process: harness,
            session: await openSession(driver.session.kind, harness, place.project),
          };
        },
      }),
    );
  } finally {
    for (const harness of processes) harness.destroy();
    for (const pid of server.living()) kill(pid);
    await Promise.all([server.close(), model.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function writeFiles(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(home, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Ends a relay that its harness left behind. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went in this moment.
  }
}

/** The story's result, unless it hangs: then what the harness said last. */
async function inTime<T>(
  { limitMs = ordinaryLimitMs, signal }: RunOptions,
  processes: readonly HarnessProcess[],
  story: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => {
      const words = lastWords(processes.map((harness) => harness.output()).join('\n'));
      refuse(new ProbeError(`the harness hung: it was not done after ${limitMs / 1000} s: ${words}`));
    }, limitMs);
  });
  const stopped = new Promise<never>((_, refuse) => {
    const stop = () => refuse(new ProbeError('stopped'));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  });
  try {
    return await Promise.race([story, late, stopped]);
  } finally {
    clearTimeout(timer);
  }
}
