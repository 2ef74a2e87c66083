// The daemon of a home, as far as it answers.

import { dirname, join } from 'node:path';
import { socketState } from '../../broker/state/single-daemon.js';
import { type DaemonFile, readDaemonFile, socketOf } from '../../config/daemon-file.js';
import { maxSocketPathBytes, type Places } from '../../config/paths.js';
import { readServiceFile } from '../../config/service-file.js';
import { findProgram, whatSays } from '../../setup/index.js';
import { isObject } from '../../wire/json.js';
import type { DaemonFacts, DaemonFileFacts, PortFacts, SocketState } from '../facts.js';
import { askData, askHealth } from './ask.js';
import { look } from './look.js';

/** Who listens is given this long to answer, which is enough on a busy machine, too; in milliseconds. */
const answerWithinMs = 3000;

/**
 * What can be found out of the daemon.
 *
 * @param path as in the variable PATH.
 */
export async function daemonOf(places: Places, path: string | undefined): Promise<DaemonFacts> {
  const file = readDaemonFile(places.daemonFile);
  const socket = socketOf(places);
  const plain = join(places.state, 'leo.sock');
  const candidates = new Set([plain, places.socket, ...(file === undefined ? [] : [file.socket])]);
  candidates.delete(socket);
  const [state, others, fileFacts] = await Promise.all([
    stateOf(socket),
    aliveAmong([...candidates].filter((path) => Buffer.byteLength(path) <= maxSocketPathBytes)),
    fileOf(file, path),
  ]);
  const answer =
    state === 'alive'
      ? await askHealth({ socketPath: socket }, answerWithinMs)
      : ({ kind: 'refused' } as const);
  const [agents, groups] =
    answer.kind === 'leo'
      ? await Promise.all([
          askData({ socketPath: socket }, '/api/v1/agents', answerWithinMs),
          askData({ socketPath: socket }, '/api/v1/client-tools', answerWithinMs),
        ])
      : [undefined, undefined];
  return {
    socket,
    state,
    mode: modeOf(socket),
    answer,
    plainBytes: Buffer.byteLength(plain),
    maxBytes: maxSocketPathBytes,
    others,
    file: fileFacts,
    serviceInstalled: readServiceFile(places.serviceFile) !== undefined,
    agents: agentsIn(agents),
    groups: groupsIn(groups),
  };
}

/** Who listens at a port of this machine. */
export async function portOf(port: number, bind: string): Promise<PortFacts> {
  const host = bind.includes(':')
    ? bind === '::'
      ? '[::1]'
      : `[${bind}]`
    : bind === '0.0.0.0'
      ? '127.0.0.1'
      : bind;
  return { port, answer: await askHealth({ url: `http://${host}:${port}` }, answerWithinMs) };
}

async function fileOf(
  file: DaemonFile | undefined,
  path: string | undefined,
): Promise<DaemonFileFacts | null> {
  if (file === undefined) return null;
  const { pid, version, http } = file;
  const answer = URL.canParse(http)
    ? await askHealth({ url: http }, answerWithinMs)
    : ({ kind: 'refused' } as const);
  const { started_by: by, config_stamp: configStamp = null } = file;
  return {
    pid,
    version,
    http,
    runs: runs(pid),
    // Asked where it matters: it costs a process.
    stopped: answer.kind === 'silent' ? await isStopped(pid, path) : null,
    answer,
    service: by === 'systemd' || by === 'launchd',
    configStamp,
  };
}

/** As the daemon finds it before it starts. */
async function stateOf(path: string): Promise<SocketState> {
  const found = look(path);
  return found !== undefined && !found.isSocket() ? 'no socket' : await socketState(path);
}

async function aliveAmong(paths: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(paths.map(stateOf));
  return paths.filter((path, index) => states[index] === 'alive' && look(dirname(path))?.isDirectory());
}

function modeOf(path: string): number | null {
  const found = look(path);
  return found?.isSocket() ? found.mode & 0o777 : null;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There is one, and it is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a process was stopped by a signal; null where that cannot be asked. */
async function isStopped(pid: number, path: string | undefined): Promise<boolean | null> {
  const ps = findProgram('ps', path);
  if (ps === undefined) return null;
  const state = (await whatSays(ps, ['-o', 'state=', '-p', String(pid)], answerWithinMs)).trim();
  return state === '' ? null : state.startsWith('T') || state.startsWith('t');
}

function agentsIn(data: unknown): DaemonFacts['agents'] {
  if (!isObject(data) || !Array.isArray(data.agents)) return null;
  return data.agents.flatMap((agent: unknown) => {
    if (!isObject(agent) || typeof agent.name !== 'string') return [];
    const versions = Array.isArray(agent.leo_versions) ? agent.leo_versions : [];
    return [{ name: agent.name, versions: versions.filter((one): one is string => typeof one === 'string') }];
  });
}

function groupsIn(data: unknown): DaemonFacts['groups'] {
  if (!isObject(data) || !Array.isArray(data.groups)) return null;
  return data.groups.flatMap((group: unknown) =>
    isObject(group) && typeof group.group === 'string'
      ? [{ group: group.group, connected: group.connected === true }]
      : [],
  );
}
