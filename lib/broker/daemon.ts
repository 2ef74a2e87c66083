// `leo daemon`: the broker as a process (design 4). It takes its home, binds its listeners, says that it is
// ready, and goes cleanly at SIGTERM or SIGINT. SIGHUP reads leo.yaml again.
//
// What must stay true: what can be refused is refused before anything large is loaded; nothing is written to the home of a daemon that already runs; daemon.json appears when
// both listeners answer and goes with them; the socket is removed only while it is still ours.

import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '../config/config.js';
import { readDaemonFile } from '../config/daemon-file.js';
import { maxSocketPathBytes, type Places } from '../config/paths.js';
import { writePrivately } from '../config/private-file.js';
import { version } from '../config/version.js';
import { isGlob } from '../wire/deny.js';
import type { Broker } from './broker.js';
import { DaemonError } from './daemon-error.js';
import { ownFolder, privateFolder } from './state/folders.js';
import { RememberedTools } from './state/remembered-tools.js';
import { alreadyRunning, bindAlone, socketState } from './state/single-daemon.js';
import { tokenHash, tokenIn } from './state/tokens.js';

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

  const { broker, daemonFile, socketFile, listeners, links } = await bindAlone(
    places.socket,
    places.startLock,
    async () => {
      const tokens = {
        operator: tokenHash(tokenIn(places.apiToken)),
        agent: tokenHash(tokenIn(places.agentToken)),
      };
      // Loaded by the one start that is to be the daemon: two hundred gateways may start theirs at once.
      const { start } = await import('./start.js');
      return await start({ ...options, config, remembered, tokens });
    },
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
    ...Object.entries(config.templates).map(
      ([name, template]) => [`templates.${name}.deny_tools`, template.denyTools] as const,
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
