// Which tmux server is Leo's (design 9): `leo`, or another one where there is another LEO_HOME. Pure.

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The name of the server, as `tmux -L` takes it.
 *
 * @param home the LEO_HOME; each has a server of its own, so that no daemon finds another's agents.
 * @param env `LEO_TMUX_SERVER` names another.
 */
export function tmuxServerName(home: string, env: NodeJS.ProcessEnv): string {
  if (env.LEO_TMUX_SERVER) return env.LEO_TMUX_SERVER;
  if (home === join(homedir(), '.leo')) return 'leo';
  return `leo-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
}
