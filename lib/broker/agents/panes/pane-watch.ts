// Has the panes looked at whenever one may have ended: when tmux says so, and from time to time in any case.

import type { TmuxPlace } from '../../tmux/run-tmux.js';
import { onPaneEnd } from './tmux-panes.js';

/** Between two looks at the panes when nothing wakes the daemon, in milliseconds. */
const lookEveryMs = 15_000;

export interface PaneWatchOptions extends TmuxPlace {
  /** What tmux signals on: one for each daemon, so that none takes another's word. */
  readonly channel: string;
  /** Looks at the panes, and says then whether there still is one to watch. */
  readonly look: () => void;
}

export class PaneWatch {
  readonly #options: PaneWatchOptions;
  #watch: { readonly end: () => void; readonly timer: NodeJS.Timeout } | undefined;

  constructor(options: PaneWatchOptions) {
    this.#options = options;
  }

  /** Watches from now on, or no more; the same twice changes nothing. */
  set(wanted: boolean): void {
    if (wanted === (this.#watch !== undefined)) return;
    if (wanted) this.#start();
    else this.#end();
  }

  #start(): void {
    const { server, channel, env, look } = this.#options;
    const over = () => {
      if (this.#watch === undefined) return;
      this.#end();
      look();
    };
    this.#watch = {
      end: onPaneEnd(server, channel, env, { ready: look, over }),
      timer: setTimeout(over, lookEveryMs),
    };
  }

  #end(): void {
    this.#watch?.end();
    clearTimeout(this.#watch?.timer);
    this.#watch = undefined;
  }
}
