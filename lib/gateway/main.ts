// `leo mcp-server`: puts the parts together. Imports little: it runs beside every agent.

import './engine.js';
import './parent.js';
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import caps from '../../harnesscaps.json' with { type: 'json' };
import { placesOf } from '../config/paths.js';
import { findSeen, readSeenHarnesses, seenToRelist } from '../config/seen-harnesses.js';
import { readServiceFile } from '../config/service-file.js';
import { sessionId } from '../wire/ids.js';
import { systemClock as clock } from './clock.js';
import { parseCommandLine, type ServeOptions, usage } from './command-line.js';
import { readSettings } from './harness/settings.js';
import { readTable } from './harness/table.js';
import { agentName } from './identity.js';
import { localTarget, remoteTarget } from './link/target.js';
import { guardConsole, logToStderr } from './log.js';
import { serve } from './serve.js';
import { Session } from './session.js';

const { argv, env } = process;
const log = logToStderr(env);

function main(): void {
  const command = parseCommandLine(argv.slice(3), env);
  if (command.kind === 'help') process.stderr.write(usage);
  else if (command.kind === 'misuse') misused(command.message);
  else if (command.options.remote?.tokenFile && !readable(command.options.remote.tokenFile)) {
    misused(`cannot read the token file ${command.options.remote.tokenFile}: give a file that you may read`);
  } else void start(command.options);
}

async function start(options: ServeOptions): Promise<void> {
  guardConsole(log);
  const places = placesOf(env);
  const settings = await readSettings(places.config, log);
  const autostart = options.remote === undefined && settings.autostart && env.LEO_NO_AUTOSTART !== '1';
  const session = new Session({
    id: sessionId(`s_${randomUUID()}`),
    agent: agentName({ flag: options.agent, env: env.LEO_AGENT, cwd: workingDirectory() }),
    harness: options.harness,
    table: await readTable(caps, places.harnessCaps, log),
    settings,
    callTimeoutMs: options.callTimeoutMs,
    rememberedTools: places.rememberedTools,
    seenToRelist: (harness) => {
      // What a daemon elsewhere remembers is known once it greets.
      const list = options.remote === undefined ? readSeenHarnesses(places.seenHarnesses) : [];
      const seen = findSeen(list, harness);
      return seen === undefined ? undefined : seenToRelist(seen);
    },
    clock,
    randomId: randomUUID,
    log,
    link: {
      findTarget: options.remote === undefined ? localTarget(places) : remoteTarget(options.remote, env),
      random: Math.random,
      mayStartDaemon: () => autostart && readServiceFile(places.serviceFile) === undefined,
      startDaemon: () => void startDaemon(),
    },
  });
  session.link.dial();
  serve(session, log, clock, remedy);

  async function startDaemon(): Promise<void> {
    log('no daemon runs here: starting one');
    try {
      // Not there any more where Leo was updated or removed since this session began.
      const starter = await import('./link/start-daemon.js');
      starter.startDaemon(argv[1] ?? '', places, env, (error) =>
        log(`error: cannot start the daemon: ${error.message}`),
      );
    } catch (error) {
      log(`error: cannot start the daemon: ${error instanceof Error ? error.message : error}`);
    }
  }

  function remedy(): string {
    if (options.remote !== undefined)
      return `Check that a daemon runs at ${options.remote.url.host}, then call again.`;
    if (session.link.refused)
      return 'Restart the older of the two, the daemon or this session, then call again.';
    if (session.link.startedDaemon) {
      return `It was started and did not come up: see ${places.daemonLog}, mend it, run \`leo daemon\` and call again.`;
    }
    return readServiceFile(places.serviceFile) === undefined
      ? 'Start it with `leo daemon`, then call again.'
      : 'See why its service does not run with `leo service status`, start it with `leo service start`, and call again.';
  }
}

function misused(message: string): void {
  process.stderr.write(`leo mcp-server: ${message}\n`);
  process.exitCode = 2;
}

function readable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false; // The caller says so, with the mend.
  }
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // It was removed under us; the name comes from elsewhere.
  }
}

main();
