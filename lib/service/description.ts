// What a service of Leo is, before it is written down for one manager or the other. Pure.
//
// Everything in it is absolute and said: a service manager gives its programs next to no environment, and starts them
// from another folder.

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { startedByVariable } from '../config/daemon-exit.js';
import type { Places } from '../config/paths.js';
import { servicePath } from './service-path.js';

export type Manager = 'systemd' | 'launchd';

export interface ServiceDescription {
  readonly manager: Manager;
  /** How the manager calls it: a unit, or a label. */
  readonly name: string;
  /** Where the manager looks for it. */
  readonly file: string;
  /** The program and its arguments. */
  readonly command: readonly [node: string, leo: string, ...rest: readonly string[]];
  /** The environment, all that is not the manager's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder that it starts in. */
  readonly folder: string;
  /** Where launchd writes what the daemon writes; systemd has its journal. */
  readonly log: string;
  /** Whether to take from the daemon, and from the agents that it starts, what only the daemon can do without. */
  readonly hardened: boolean;
}

export interface ServiceSurroundings {
  readonly manager: Manager;
  /** Absolute, by a name that outlives an update. */
  readonly node: string;
  /** The path of bin/leo.js, so too. */
  readonly leo: string;
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home. */
  readonly userHome: string;
  readonly hardened: boolean;
}

/**
 * What the daemon, and each agent that it starts, has from the shell that installed the service. No variable that holds
 * a secret: others may read the file, and `systemctl show` prints it.
 */
const carried = [
  // Where Leo's tmux server is: a daemon without them would not find its agents again.
  'LEO_TMUX_SERVER',
  'TMUX_TMPDIR',
  // The language. launchd sets none, and agents would read and write ASCII alone.
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  // Where harnesses keep their settings and their sign-in, which `leo harness setup` has found by the same.
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'OPENCODE_CONFIG',
  'OPENCODE_CONFIG_DIR',
  'GEMINI_CLI_HOME',
  'COPILOT_HOME',
];

/** The service of one home: each has one of its own. */
export function describeService(around: ServiceSurroundings): ServiceDescription {
  const { manager, node, leo, places, env, userHome, hardened } = around;
  const usual = places.home === join(userHome, '.leo');
  const hash = createHash('sha256').update(places.home).digest('hex').slice(0, 12);
  const name = {
    systemd: usual ? 'leo.service' : `leo-${hash}.service`,
    launchd: usual ? 'leo.daemon' : `leo.daemon.${hash}`,
  }[manager];
  const units = join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'systemd', 'user');
  const file = {
    systemd: join(units, name),
    launchd: join(userHome, 'Library', 'LaunchAgents', `${name}.plist`),
  }[manager];
  // Installed from within an agent that Leo has started, it would find that agent's own folder there.
  const lasts = (value: string) => !value.startsWith(`${places.state}/`);
  const taken = carried.flatMap((key) => (env[key] && lasts(env[key]) ? [[key, env[key]]] : []));
  return {
    manager,
    name,
    file,
    command: [node, leo, 'daemon'],
    variables: {
      LEO_HOME: places.home,
      PATH: servicePath(env.PATH, dirname(node), userHome),
      [startedByVariable]: manager,
      ...Object.fromEntries(taken),
    },
    folder: userHome,
    log: places.daemonLog,
    hardened,
  };
}
