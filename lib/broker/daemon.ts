// `leo daemon`: the broker as a process (design 4). It takes its home, binds its listeners, says that it is
// ready, and goes cleanly at SIGTERM or SIGINT. SIGHUP reads leo.yaml again.
//
// What must stay true: what can be refused is refused before anything large is loaded; nothing is written to the home of a daemon that already runs; daemon.json appears when
// both listeners answer and goes with them; the socket is removed only while it is still ours.

import { rmSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { type DaemonFile, readDaemonFile } from '../config/daemon-file.js';
import { fileStamp } from '../config/file-stamp.js';
import { ownFolder, privateFolder } from '../config/folders.js';
import { type LogOptions, logLine } from '../config/log-line.js';
import { maxSocketPathBytes, type Places } from '../config/paths.js';
import { writePrivately } from '../config/private-file.js';
import { version } from '../config/version.js';
import { LeoError } from '../wire/errors.js';
import { DaemonError } from './daemon-error.js';
import { checkDenied, readConfig, Settings } from './settings.js';
import { RememberedTools } from './state/remembered-tools.js';
import { alreadyRunning, bindAlone, socketState } from './state/single-daemon.js';

export { DaemonError };

export interface DaemonOptions {
  readonly places: Places;
  /** Overrides `web.port`; 0 takes a free one. */
  readonly port?: number;
  /** Where the files of the console's page are; else where the build puts them. */
  readonly page?: string;
  /** Takes what is written to the log, a line with its end. */
  readonly write: (text: string) => void;
  /** How the log is written, by what leo.yaml says; asked once that is read. */
  readonly logAs: (said: Config['daemon']) => LogOptions;
  /** Ends the daemon as SIGTERM does. */
  readonly signal?: AbortSignal;
}

/** How long gateways and apps are given to take their last bytes when the daemon ends, in milliseconds. */
const farewellMs = 250;

/**
 * Runs the daemon until it is told to end.
 *
 * @returns the exit code of a clean end, 0.
 * @throws {DaemonError | PlaceError} when it cannot start, with what to do.
 */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  const { places } = options;
  const ended = endSignal(options.signal);
  const stamp = fileStamp(places.config);
  const config = readConfig(places);
  const { log, debug } = logOf(options, config);
  preparePlaces(places);
  if ((await socketState(places.socket)) === 'alive') throw alreadyRunning(places.socket);
  const remembered = new RememberedTools(places.rememberedTools, log);
  for (const warning of checkDenied(config, remembered)) log(`warning: ${warning}`);
  /** What daemon.json says while it is there, but for the settings. */
  let ready: DaemonFile | undefined;
  const publish = (stamp: string) => {
    if (ready === undefined) return;
    const file: DaemonFile = { ...ready, config_stamp: stamp };
    writePrivately(places.daemonFile, `${JSON.stringify(file, null, 2)}\n`);
  };
  const taken = (stamp: string) => {
    try {
      publish(stamp);
    } catch (error) {
      // A full disk, say, is no reason to end. leo doctor alone reads it.
      log(
        `warning: ${places.daemonFile} cannot be written: ${error instanceof Error ? error.message : error}`,
      );
    }
  };
  const settings = new Settings({ config, stamp, places, remembered, log, taken });

  const { broker, daemonFile, socketFile, listeners, links } = await bindAlone(
    places.socket,
    places.startLock,
    async () => {
      settings.takeTokens();
      // Loaded by the one start that is to be the daemon: two hundred gateways may start theirs at once.
      const { start } = await import('./start.js');
      return await start({ ...options, log, ...(debug && { debug }), config, remembered, settings });
    },
  );
  ready = daemonFile;
  publish(settings.stamp);
  log(`ready: ${daemonFile.socket} and ${daemonFile.http} (Leo ${version}, pid ${process.pid})`);

  const reload = () => {
    try {
      broker.reload();
    } catch (error) {
      // The log has it already.
      if (!(error instanceof LeoError)) throw error;
    }
  };
  process.on('SIGHUP', reload);
  log(`ending: ${await ended}`);
  process.off('SIGHUP', reload);
  ready = undefined;
  // Another daemon's file stays: ours is the one that names this epoch.
  if (readDaemonFile(places.daemonFile)?.epoch === broker.epoch) rmSync(places.daemonFile, { force: true });
  socketFile.remove();
  // First no more answers are taken, then the outcomes of those that were go out with the links.
  broker.stop();
  await listeners.close(farewellMs);
  await links.close(farewellMs);
  return 0;
}

/** The log, and the log of what only somebody who looks for a fault wants; that is undefined where it is left out. */
function logOf(options: DaemonOptions, { daemon }: Config) {
  const how = options.logAs(daemon);
  const log = (line: string) => {
    const text = logLine(line, Date.now(), how);
    if (text !== undefined) options.write(text);
  };
  return { log, debug: how.level === 'debug' ? (line: string) => log(`debug: ${line}`) : undefined };
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

/** Resolves with what told the daemon to end. */
async function endSignal(signal: AbortSignal | undefined): Promise<string> {
  return await new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
    signal?.addEventListener('abort', () => resolve('asked to'), { once: true });
  });
}
