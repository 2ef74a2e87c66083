// Whether tmux is there for the agents that Leo starts.

import type { Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';

export function checkTmux({
  tmux,
  config,
  installTmux: install,
}: Pick<Facts, 'tmux' | 'config' | 'installTmux'>): readonly Line[] {
  // Who has no template starts no agent.
  const bad = config.templates > 0 ? fail : warn;
  const why = 'agents that Leo starts run in it';
  switch (tmux.kind) {
    case 'missing':
      return [bad('tmux', `tmux is not on PATH; ${why}`, install)];
    case 'silent':
      return [bad('tmux', `${tmux.path} does not say its version; ${why}`, install)];
    case 'found':
      if (tmux.enough === false) {
        return [bad('tmux', `${tmux.version} is too old: ${why}, from 3.2 on`, install)];
      }
      return [pass('tmux', tmux.version)];
  }
}
