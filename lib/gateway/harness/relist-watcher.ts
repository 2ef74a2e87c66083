// Watches whether the harness lists again after it was told of a change, and tells the broker what it saw: once,
// and again when it sees the opposite. The edge of relist-watch.ts.

import type { Clock } from '../clock.js';
import { asked, judged, listed, notWatching, relistMs, type Sighting, told } from './relist-watch.js';

export interface RelistWatcherOptions {
  readonly clock: Clock;
  /** Whether the harness waits for a call. */
  readonly waits: () => boolean;
  /** Tells the broker; says whether there was a link to tell it over. */
  readonly tell: (relists: boolean) => boolean;
}

export class RelistWatcher {
  #watch = notWatching;
  #callOff = () => {};
  #sighting: { readonly kind: Sighting; readonly told: boolean } | undefined;

  constructor(private readonly options: RelistWatcherOptions) {}

  /**
   * The harness, which is served natively, was told of a change.
   *
   * @param inItsOwnTime whether it listens, and so has said that it re-lists: then silence shows nothing.
   */
  told({ inItsOwnTime }: { readonly inItsOwnTime: boolean }): void {
    const { clock, waits } = this.options;
    if (this.#watch.toldAt !== undefined) return;
    this.#watch = told(this.#watch, clock.now());
    if (inItsOwnTime) return;
    this.#callOff = clock.after(relistMs, () => {
      this.#saw(judged(this.#watch, clock.now(), waits()));
      this.stop();
    });
  }

  /** The harness has sent a request. */
  requested(method: string): void {
    if (method === 'tools/list') {
      this.#saw(listed(this.#watch));
      this.stop();
    } else if (method !== 'ping') {
      // A ping shows that the process lives, which an idle session does too.
      this.#watch = asked(this.#watch, this.options.waits());
    }
  }

  /** What the harness does from here on shows nothing of the change that it was told of. */
  stop(): void {
    this.#watch = notWatching;
    this.#callOff();
  }

  /** There is a link: what could not be told is told. */
  tell(): void {
    if (this.#sighting === undefined || this.#sighting.told) return;
    const { kind } = this.#sighting;
    this.#sighting = { kind, told: this.options.tell(kind === 'relisted') };
  }

  #saw(sighting: Sighting | undefined): void {
    if (sighting === undefined || sighting === this.#sighting?.kind) return;
    this.#sighting = { kind: sighting, told: false };
    this.tell();
  }
}
