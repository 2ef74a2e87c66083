// The daemon of `npm start`: the one that already runs, or one that it starts itself.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { until } from './processes.mjs';

/**
 * Finds or starts the daemon of an environment's LEO_HOME.
 *
 * @returns its address, and in words where it came from.
 */
export async function daemonFor(env, processes) {
  const { ask, daemonAddress } = await import('../../build/lib/cli/daemon-client.js');
  const { readDaemonFile } = await import('../../build/lib/config/daemon-file.js');
  const before = daemonAddress(env);
  if (await answers(ask, before)) {
    const { pid, http } = before.file ?? { pid: 'not known', http: before.socket };
    return { address: before, told: `already runs (pid ${pid}, ${http}); it is used, and left running` };
  }
  const { port, told } = await portFor(before.places.config);
  const daemon = processes.start([join(root, 'bin', 'leo.js'), 'daemon', '--port', String(port)], env);
  const file = await until('the daemon did not start', daemon, () => {
    const found = readDaemonFile(before.places.daemonFile);
    return found?.pid === daemon.child.pid ? found : undefined;
  });
  return { address: daemonAddress(env), daemon, told: `started (pid ${file.pid}, ${file.http})${told}` };
}

/** Whether a daemon answers; one that is there but does not answer is an error, with the mend in its words. */
async function answers(ask, address) {
  try {
    await ask(address, '/health');
    return true;
  } catch (error) {
    if (error.message.startsWith('no daemon answers')) return false;
    throw error;
  }
}

/** The port of leo.yaml, or any free one where another program has that. */
async function portFor(configFile) {
  const { parseConfig } = await import('../../build/lib/config/config.js');
  let text = '';
  try {
    text = readFileSync(configFile, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { port } = parseConfig(text, configFile).web;
  const free = (await Promise.all(['127.0.0.1', '::1'].map((host) => isFree(port, host)))).every(Boolean);
  return free
    ? { port, told: '' }
    : { port: 0, told: `; port ${port} is taken by another program, so a free one` };
}

function isFree(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without ::1 has nothing there that could be taken.
    server.once('error', (error) => resolve(error.code !== 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
