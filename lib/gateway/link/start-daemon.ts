// Starts `leo daemon` so that it outlives this gateway and everything that the harness does to it. The edge;
// loaded only when it is needed.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { startedByVariable } from '../../config/daemon-exit.js';
import { maxLogBytes } from '../../config/log-options.js';
import type { Places } from '../../config/paths.js';

/**
 * Starts the daemon in a session of its own. It decides by itself whether another one is there already.
 *
 * @param entry the path of bin/leo.js.
 */
export function startDaemon(
  entry: string,
  places: Places,
  env: Readonly<Record<string, string | undefined>>,
  onError: (error: Error) => void,
): void {
  mkdirSync(places.state, { recursive: true, mode: 0o700 });
  const file = places.daemonLog;
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(file, size > maxLogBytes ? 'w' : 'a', 0o600);
  // What belongs to this agent is none of the daemon's business.
  const { LEO_AGENT: _agent, LEO_HARNESS: _harness, LEO_TOKEN: _token, ...rest } = env;
  const child = spawn(process.execPath, [entry, 'daemon'], {
    cwd: places.home,
    detached: true,
    env: { ...rest, [startedByVariable]: 'gateway' },
    stdio: ['ignore', log, log],
  });
  child.on('error', onError);
  child.unref();
  closeSync(log);
}
