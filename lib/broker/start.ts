// The start of the broker proper: everything that is made and bound while the start lock is held. It is loaded
// apart from the rest of the daemon, since it brings the servers with it.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { bindFault, type Config, isLoopbackBind } from '../config/config.js';
import { startedBy } from '../config/daemon-exit.js';
import type { DaemonFile } from '../config/daemon-file.js';
import type { Places } from '../config/paths.js';
import { version } from '../config/version.js';
import type { Principal } from './access/principal.js';
import { SupervisedAgents } from './agents/supervised-agents.js';
import { Broker } from './broker.js';
import { systemClock } from './clock.js';
import { ConsoleAccess, type ConsoleAccessOptions } from './console/console-access.js';
import { readPageFiles } from './console/page-files.js';
import { DaemonError } from './daemon-error.js';
import { messagesOf } from './delivery/broker-messages.js';
import { addressesFor, reachable } from './http/addresses.js';
import { createApp, type HttpOptions, type RequestHandler } from './http/app.js';
import { isTaken, Listeners, portTaken, type SocketFile, type UpgradeHandler } from './http/listeners.js';
import { Refusals } from './http/refusals.js';
import { LinkServer } from './link/link-server.js';
import type { Settings } from './settings.js';
import type { RememberedTools } from './state/remembered-tools.js';
import { SeenApps } from './state/seen-apps.js';
import { SeenHarnesses } from './state/seen-harnesses.js';
import { tmuxServerName } from './tmux/server-name.js';

export interface StartOptions {
  readonly places: Places;
  readonly port?: number;
  readonly log: (line: string) => void;
  /** As log, for what only somebody who looks for a fault wants. */
  readonly debug?: (line: string) => void;
  readonly config: Config;
  readonly remembered: RememberedTools;
  readonly settings: Settings;
  /** Where the files of the console's page are. */
  readonly page?: string;
}
export interface Started {
  readonly broker: Broker;
  readonly listeners: Listeners;
  readonly links: LinkServer;
  readonly socketFile: SocketFile;
  readonly daemonFile: DaemonFile;
}

/**
 * Makes the broker and binds both listeners.
 *
 * @throws {DaemonError} when an address cannot be bound.
 */
export async function start(options: StartOptions): Promise<Started> {
  const { places, port, log, config, remembered, settings } = options;
  const refusals = new Refusals({
    clock: systemClock,
    count: (code) => broker.metrics.refused(code),
    log,
    ...(options.debug && { debug: options.debug }),
  });
  const listeners = new Listeners((error) => refusals.refused(error, { method: 'no HTTP' }));
  const seen = new SeenHarnesses(places.seenHarnesses, systemClock, log);
  const seenApps = new SeenApps(places.seenApps, systemClock, log);
  const reload = () =>
    settings.reload({
      configure: (read) => broker.configure(read),
      endRevoked: (holdsToken) => {
        // Who signed in to the console has no token that could be read again.
        const holds = (principal: Principal) => principal.role === 'console' || holdsToken(principal);
        broker.streams.endRevoked(holds);
        links.endRevoked(holds);
      },
    });
  const supervise = (owner: Broker) => supervisedAgents(owner, places, log);
  let httpPort = port ?? config.web.port;
  const address = () => ({ url: `http://${reachable(config.web.bind)}:${httpPort}`, port: httpPort });
  const console = (owner: Broker) => consoleOf(owner, { path: places.consoleSessions, address, log });
  const broker: Broker = new Broker({
    config,
    version,
    clock: systemClock,
    remembered,
    seen,
    seenApps,
    reload,
    log,
    ...(options.debug && { debug: options.debug }),
    holdsToken: (principal) => settings.holds(principal),
    supervise,
    console,
    messenger: messagesOf,
  });
  const httpOptions: HttpOptions = {
    broker,
    log,
    refusals,
    ownerOf: (bearer) => settings.ownerOf(bearer),
    hostRules: () => ({ port: httpPort, allowedHosts: broker.allowedHosts }),
    listenerOf: (request) => listeners.listenerOf(request),
    page: readPageFiles(options.page ?? builtPage()),
  };
  const { handler } = await createApp(httpOptions);
  const links: LinkServer = new LinkServer(httpOptions);
  const upgrade: UpgradeHandler = (request, socket, head) => links.upgrade(request, socket, head);
  try {
    // Before anybody can ask, or start one twice.
    await broker.agents.recover();
    httpPort = await bindWeb(listeners, config, httpPort, { handler, upgrade, log });
    const socketFile = await listeners.bindSocket(places.socket, handler, upgrade);
    const daemonFile: DaemonFile = {
      pid: process.pid,
      version,
      epoch: broker.epoch,
      socket: places.socket,
      http: address().url,
      started_at: new Date(broker.startedAt).toISOString(),
      started_by: startedBy(process.env),
    };
    return { broker, listeners, links, socketFile, daemonFile };
  } catch (error) {
    broker.stop();
    await listeners.close(0);
    throw error;
  }
}

/** Who is signed in to the console of a broker. */
function consoleOf(
  broker: Broker,
  options: Pick<ConsoleAccessOptions, 'path' | 'address' | 'log'>,
): ConsoleAccess {
  const holds = (principal: Principal) => principal.role !== 'console' || broker.console.holds(principal);
  return new ConsoleAccess({
    ...options,
    clock: systemClock,
    streaming: () =>
      broker.streams
        .readers()
        .flatMap(({ role, proof }) => (role === 'console' && proof !== null ? [proof] : [])),
    end: (how) => (how === 'left' ? broker.streams.endRevoked(holds) : broker.streams.end(holds)),
  });
}

/** Where the build puts the files of the console's page, seen from the program that runs. */
function builtPage(): string {
  return join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'dist', 'console');
}

function supervisedAgents(broker: Broker, places: Places, log: (line: string) => void): SupervisedAgents {
  const home = places.home === join(homedir(), '.leo') ? undefined : places.home;
  return new SupervisedAgents({
    file: places.agents,
    folder: places.agentFolders,
    home: places.home,
    installation: { node: process.execPath, leo: realpathSync(process.argv[1] ?? ''), home },
    server: tmuxServerName(places.home, process.env),
    env: process.env,
    clock: systemClock,
    log,
    templates: () => broker.templates,
    started: (name, at) => broker.decide((core) => core.paneStarted(name, at)),
    ended: (name) => broker.decide((core) => core.paneEnded(name)),
  });
}

/** Binds `web.bind`, and loopback beside it, on one port. */
async function bindWeb(
  listeners: Listeners,
  config: Config,
  port: number,
  {
    handler,
    upgrade,
    log,
  }: { handler: RequestHandler; upgrade: UpgradeHandler; log: (line: string) => void },
): Promise<number> {
  const { bind } = config.web;
  const fault = bindFault(config.web);
  if (fault !== undefined) throw new DaemonError('config', fault);
  if (!isLoopbackBind(bind)) {
    log(`warning: listening on ${bind}, beyond loopback; whoever reaches it and has a token can use it`);
  }
  try {
    const { first, beside } = addressesFor(bind);
    const bound = await listeners.bindTcp(first, port, handler, upgrade);
    for (const address of beside) {
      try {
        await listeners.bindTcp(address, bound, handler, upgrade);
      } catch (error) {
        const where = `${reachable(address)}:${bound}`;
        log(`note: not listening on ${where}: ${error instanceof Error ? error.message : error}`);
      }
    }
    return bound;
  } catch (error) {
    if (isTaken(error)) throw portTaken(bind, port);
    const why = error instanceof Error ? error.message : error;
    throw new DaemonError('address', `cannot listen on ${bind} (web.bind), port ${port}: ${why}`, {
      cause: error,
    });
  }
}
