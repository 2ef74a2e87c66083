// Where things are (design 4). Nothing here touches the disk: the broker makes and checks the places, every
// other part only looks there.

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The places of one LEO_HOME. */
export interface Places {
  readonly home: string;
  readonly config: string;
  /** What the user knows better than the built-in harnesscaps.json. */
  readonly harnessCaps: string;
  readonly state: string;
  /** The path that clients try when daemon.json names none; never longer than `maxSocketPathBytes`. */
  readonly socket: string;
  /** The folder of the socket, when it is not `state`: private to the user, made by the daemon. */
  readonly socketFolder: string;
  readonly daemonFile: string;
  /** What a daemon writes to that a gateway or launchd has started; every other has a log elsewhere. */
  readonly daemonLog: string;
  /** Says that a service runs the daemon. */
  readonly serviceFile: string;
  readonly startLock: string;
  readonly apiToken: string;
  readonly agentToken: string;
  /** The folders of scoped clients' and of devices' tokens, `<name>.token`; made with the first of them. */
  readonly clients: string;
  readonly devices: string;
  /** Held while leo.yaml or a token is changed. */
  readonly editLock: string;
  /** The browsers that are signed in to the console. */
  readonly consoleSessions: string;
  readonly rememberedTools: string;
  readonly harnessSetup: string;
  readonly seenHarnesses: string;
  /** When the apps of each group were last connected. */
  readonly seenApps: string;
  /** The agents that Leo has started. */
  readonly agents: string;
  /** A folder for each of them. */
  readonly agentFolders: string;
}

/** Node cuts a longer path without a word (sun_path holds 104 bytes on macOS, 108 on Linux). */
export const maxSocketPathBytes = 103;

/**
 * The places of the home that an environment names.
 *
 * @param env `LEO_HOME` is read, a relative one against the working directory; `~/.leo` is the default.
 */
export function placesOf(env: Readonly<Record<string, string | undefined>>): Places {
  const home =
    env.LEO_HOME === undefined || env.LEO_HOME === '' ? join(homedir(), '.leo') : resolve(env.LEO_HOME);
  const state = join(home, 'state');
  const plain = join(state, 'leo.sock');
  // The stand-in is fixed by the home and the user alone, so that a gateway with another TMPDIR finds it too.
  const short = join('/tmp', `leo-${process.getuid?.() ?? 0}`);
  const fits = Buffer.byteLength(plain) <= maxSocketPathBytes;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return {
    home,
    config: join(home, 'leo.yaml'),
    harnessCaps: join(home, 'harnesscaps.json'),
    state,
    socket: fits ? plain : join(short, `${hash}.sock`),
    socketFolder: fits ? state : short,
    daemonFile: join(state, 'daemon.json'),
    daemonLog: join(state, 'daemon.log'),
    serviceFile: join(state, 'service.json'),
    startLock: join(state, 'start.lock'),
    apiToken: join(state, 'api.token'),
    agentToken: join(state, 'agent.token'),
    clients: join(state, 'clients'),
    devices: join(state, 'devices'),
    editLock: join(state, 'edit.lock'),
    consoleSessions: join(state, 'console.json'),
    rememberedTools: join(state, 'client-tools.json'),
    harnessSetup: join(state, 'harness-setup.json'),
    seenHarnesses: join(state, 'harnesses.json'),
    seenApps: join(state, 'apps.json'),
    agents: join(state, 'agents.json'),
    agentFolders: join(state, 'agents'),
  };
}
