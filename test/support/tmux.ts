// A tmux server of one test's own: a name that nobody else has, ended with the test.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { isNewEnough, serverArgs, type Tmux, tmuxOn } from '../../lib/broker/tmux/run-tmux.js';

/** Why tests with tmux are skipped, or false. */
export const noTmux: string | false = (() => {
  try {
    const version = execFileSync('tmux', ['-V'], { encoding: 'utf8' });
    return isNewEnough(version) === false ? `${version.trim()} is older than 3.2` : false;
  } catch {
    return 'tmux is not installed';
  }
})();

export interface TestTmux {
  readonly server: string;
  /** The environment of the test, with `LEO_TMUX_SERVER`. */
  readonly env: NodeJS.ProcessEnv;
  readonly tmux: Tmux;
  /** Ends the server, as `tmux kill-server` does. */
  kill(): void;
}

export function testTmux(t: Test): TestTmux {
  const server = `leo-test-${randomBytes(6).toString('hex')}`;
  const env = { ...process.env, LEO_TMUX_SERVER: server };
  const kill = () => {
    // None may be there: a test may have ended it, or never started it.
    spawnSync('tmux', [...serverArgs(server), 'kill-server'], { stdio: 'ignore' });
  };
  t.teardown(kill);
  return { server, env, tmux: tmuxOn({ server, env }), kill };
}
