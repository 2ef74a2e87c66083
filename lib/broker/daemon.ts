// `leo daemon`: the broker as a process (design 4). It takes its home, binds its listeners, says that it is
// ready, and goes cleanly at SIGTERM or SIGINT. SIGHUP reads leo.yaml again.
//
// What must stay true: nothing is written to the home of a daemon that already runs; daemon.json appears when
// both listeners answer and goes with them; the socket is removed only while it is still ours.

import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '../config/config.js';
import { type DaemonFile, readDaemonFile } from '../config/daemon-file.js';
import { maxSocketPathBytes, type Places } from '../config/paths.js';
import { version } from '../config/version.js';
import { isGlob } from '../wire/deny.js';
import { Broker } from './broker.js';
import { systemClock } from './clock.js';
import { DaemonError } from './daemon-error.js';
import type { Principal } from './http/access.js';
import { createApp, type HttpOptions, type RequestHandler } from './http/app.js';
import { isTaken, Listeners, portTaken, type SocketFile, type UpgradeHandler } from './http/listeners.js';
import { LinkServer } from './link/link-server.js';
import { ownFolder, privateFolder, writePrivately } from './state/files.js';
import { RememberedTools } from './state/remembered-tools.js';
import { alreadyRunning, bindAlone, socketState } from './state/single-daemon.js';
import { isToken, tokenHash, tokenIn } from './state/tokens.js';

export { DaemonError };

export interface DaemonOptions {
  readonly places: Places;
  /** Overrides `web.port`; 0 takes a free one. */
  readonly port?: number;
  /** Takes one line for the log; never an argument, a result or a token. */
  readonly log: (line: string) => void;
  /** Ends the daemon as SIGTERM does. */
  readonly signal?: AbortSignal;
}

/** How long gateways and apps are given to take their last bytes when the daemon ends, in milliseconds. */
const farewellMs = 250;

/**
 * Runs the daemon until it is told to end.
 *
 * @returns the exit code of a clean end, 0.
 * @throws {DaemonError} when it cannot start, with what to do.
 */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  const { places, log } = options;
  const ended = endSignal(options.signal);
  const config = readConfig(places);
  preparePlaces(places);
  if ((await socketState(places.socket)) === 'alive') throw alreadyRunning(places.socket);
  const remembered = new RememberedTools(places.rememberedTools, log);
  for (const warning of checkDenied(config, remembered)) log(`warning: ${warning}`);

  const listeners = new Listeners();
  const { broker, daemonFile, socketFile, links } = await bindAlone(places.socket, places.startLock, () =>
    start({ ...options, config, remembered, listeners }),
  );
  writePrivately(places.daemonFile, `${JSON.stringify(daemonFile, null, 2)}\n`);
  log(`ready: ${daemonFile.socket} and ${daemonFile.http} (Leo ${version}, pid ${process.pid})`);

  const reload = () => reloadConfig(broker, places, remembered, log);
  process.on('SIGHUP', reload);
  log(`ending: ${await ended}`);
  process.off('SIGHUP', reload);
  // Another daemon's file stays: ours is the one that names this epoch.
  if (readDaemonFile(places.daemonFile)?.epoch === broker.epoch) rmSync(places.daemonFile, { force: true });
  socketFile.remove();
  // First no more answers are taken, then the outcomes of those that were go out with the links.
  broker.stop();
  await listeners.close(farewellMs);
  await links.close(farewellMs);
  return 0;
}

interface StartOptions extends DaemonOptions {
  readonly config: Config;
  readonly remembered: RememberedTools;
  readonly listeners: Listeners;
}
interface Started {
  readonly broker: Broker;
  readonly links: LinkServer;
  readonly socketFile: SocketFile;
  readonly daemonFile: DaemonFile;
}

/** Makes the broker and binds both listeners; everything here happens under the start lock. */
async function start({ places, port, log, config, remembered, listeners }: StartOptions): Promise<Started> {
  const tokens = {
    operator: tokenHash(tokenIn(places.apiToken)),
    agent: tokenHash(tokenIn(places.agentToken)),
  };
  const broker = new Broker({ config, version, clock: systemClock, remembered });
  let httpPort = port ?? config.web.port;
  const httpOptions: HttpOptions = {
    broker,
    log,
    ownerOf: (bearer) => ownerOf(bearer, tokens),
    hostRules: () => ({ port: httpPort, allowedHosts: broker.allowedHosts }),
    listenerOf: (request) => listeners.listenerOf(request),
  };
  const { handler } = await createApp(httpOptions);
  const links = new LinkServer(httpOptions);
  const upgrade: UpgradeHandler = (request, socket, head) => links.upgrade(request, socket, head);
  try {
    httpPort = await bindLoopback(listeners, config, httpPort, { handler, upgrade, log });
    const socketFile = await listeners.bindSocket(places.socket, handler, upgrade);
    const daemonFile: DaemonFile = {
      pid: process.pid,
      version,
      epoch: broker.epoch,
      socket: places.socket,
      http: `http://${reachable(config.web.bind)}:${httpPort}`,
      started_at: new Date(broker.startedAt).toISOString(),
    };
    return { broker, links, socketFile, daemonFile };
  } catch (error) {
    broker.stop();
    await listeners.close(0);
    throw error;
  }
}

function ownerOf(
  bearer: string,
  tokens: { readonly operator: Buffer; readonly agent: Buffer },
): Principal | undefined {
  // Both are compared whatever the first says, so that the time tells nothing.
  const operator = isToken(bearer, tokens.operator);
  const agent = isToken(bearer, tokens.agent);
  if (operator) return { role: 'operator', name: 'operator' };
  return agent ? { role: 'agent', name: 'agent' } : undefined;
}

/** Binds `web.bind`, and `::1` beside 127.0.0.1 where the machine has it, on one port. */
async function bindLoopback(
  listeners: Listeners,
  config: Config,
  port: number,
  {
    handler,
    upgrade,
    log,
  }: { handler: RequestHandler; upgrade: UpgradeHandler; log: (line: string) => void },
): Promise<number> {
  const { bind, allowedHosts } = config.web;
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(bind);
  if (!loopback) {
    if (allowedHosts.length === 0) {
      throw new DaemonError(
        'config',
        `web.bind ${bind} is beyond loopback: name the hosts that may be asked for in web.allowed_hosts`,
      );
    }
    log(`warning: listening on ${bind}, beyond loopback; whoever reaches it and has a token can use it`);
  }
  try {
    const bound = await listeners.bindTcp(bind, port, handler, upgrade);
    if (bind !== '127.0.0.1') return bound;
    try {
      await listeners.bindTcp('::1', bound, handler, upgrade);
    } catch (error) {
      // No IPv6 here, or the port is another's there: 127.0.0.1 is the one that daemon.json names.
      log(`note: not listening on [::1]:${bound}: ${error instanceof Error ? error.message : error}`);
    }
    return bound;
  } catch (error) {
    if (isTaken(error)) throw portTaken(bind, port);
    const why = error instanceof Error ? error.message : error;
    throw new DaemonError('place', `cannot listen on ${bind} (web.bind), port ${port}: ${why}`, {
      cause: error,
    });
  }
}

/** The host that a client on this machine reaches an address by. */
function reachable(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1';
  return bind.includes(':') ? `[${bind}]` : bind;
}

function preparePlaces(places: Places): void {
  if (Buffer.byteLength(places.socket) > maxSocketPathBytes) {
    throw new DaemonError(
      'place',
      `the socket's path has ${Buffer.byteLength(places.socket)} bytes, at most ${maxSocketPathBytes} work: ${places.socket}`,
    );
  }
  privateFolder(places.home);
  ownFolder(places.state);
  if (places.socketFolder !== places.state) privateFolder(places.socketFolder);
}

/** @throws {DaemonError} `config`, naming file and line. */
function readConfig(places: Places): Config {
  if (!existsSync(places.config)) return parseConfig('');
  if (lstatSync(places.config).isDirectory())
    throw new DaemonError('config', `${places.config} is a folder, not a file`);
  try {
    return parseConfig(readFileSync(places.config, 'utf8'), places.config);
  } catch (error) {
    if (error instanceof ConfigError) throw new DaemonError('config', error.message, { cause: error });
    throw error;
  }
}

/**
 * Checks the names in `deny_tools` (design 11).
 *
 * @returns warnings: globs that match nothing.
 * @throws {DaemonError} `config` for a name that is neither Leo's nor was ever registered.
 */
function checkDenied(config: Config, remembered: RememberedTools): readonly string[] {
  const lists: (readonly [string, readonly string[]])[] = [
    ['deny_tools', config.denyTools],
    ...Object.entries(config.agents).map(
      ([name, agent]) => [`agents.${name}.deny_tools`, agent.denyTools] as const,
    ),
  ];
  const warnings: string[] = [];
  for (const [where, names] of lists) {
    for (const name of names) {
      if (remembered.matches(name)) continue;
      if (isGlob(name)) warnings.push(`${where}: "${name}" matches no tool that was ever registered`);
      else
        throw new DaemonError(
          'config',
          `${where}: "${name}" is neither a tool of Leo's nor one that was ever registered; mend the name or take it out`,
        );
    }
  }
  return warnings;
}

function reloadConfig(
  broker: Broker,
  places: Places,
  remembered: RememberedTools,
  log: (line: string) => void,
): void {
  try {
    const config = readConfig(places);
    for (const warning of checkDenied(config, remembered)) log(`warning: ${warning}`);
    broker.configure(config);
    log('reloaded leo.yaml; a changed web.port or web.bind waits for a restart');
  } catch (error) {
    log(
      `leo.yaml is not taken over, the old settings stay: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Resolves with what told the daemon to end. */
async function endSignal(signal: AbortSignal | undefined): Promise<string> {
  return await new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
    signal?.addEventListener('abort', () => resolve('asked to'), { once: true });
  });
}
