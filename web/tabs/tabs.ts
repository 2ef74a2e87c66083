// The tabs of one browser: a lock that one of them has, and a channel between them (election.ts decides).

import type { State } from '../model/facts.js';
import type { Action } from '../model/reduce.js';
import { type Election, type ElectionEvent, elect, startElection } from './election.js';

type Message =
  /** From the leader, to every other tab. */
  | { readonly is: 'action'; readonly action: Action }
  | { readonly is: 'state'; readonly state: State }
  | { readonly is: 'here' }
  /** To the leader. */
  | { readonly is: 'state?' }
  | { readonly is: 'here?' }
  | { readonly is: 'nudge' }
  | { readonly is: 'act'; readonly action: Action };

export interface TabsListener {
  /** This tab is to hold the stream. */
  lead(): void;
  /** Another tab holds it now. */
  follow(): void;
  /** From the leader, or to it. */
  action(action: Action): void;
  state(state: State): void;
  nudged(): void;
  /** What a tab that has just been opened is given. */
  readonly current: () => State;
}

const name = 'leo.console';
const tickMs = 2500;

export class Tabs {
  readonly #listener: TabsListener;
  readonly #channel = new BroadcastChannel(name);
  #election: Election = startElection(Date.now());
  #giveUp: AbortController | undefined;

  constructor(listener: TabsListener) {
    this.#listener = listener;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
    // Without locks (an origin that is not secure) each tab is for itself.
    if (!Tabs.areShared()) return;
    this.#wait(false);
    this.#post({ is: 'state?' });
    setInterval(() => this.#tick(), tickMs);
    document.addEventListener('visibilitychange', () => this.#tick());
  }

  /** Whether tabs can find a leader here; otherwise each of them leads. */
  static areShared(): boolean {
    return 'locks' in navigator;
  }

  get leads(): boolean {
    return !Tabs.areShared() || this.#election.role === 'leading';
  }

  /** To every other tab, from the leader. */
  tell(action: Action): void {
    if (Tabs.areShared()) this.#post({ is: 'action', action });
  }

  /** To the leader, from another tab. */
  act(action: Action): void {
    this.#post({ is: 'act', action });
  }

  nudge(): void {
    this.#post({ is: 'nudge' });
  }

  #post(message: Message): void {
    this.#channel.postMessage(message);
  }

  #hear(message: Message): void {
    const { leads } = this;
    switch (message.is) {
      case 'action':
      case 'state':
      case 'here':
        if (leads) return;
        this.#step({ is: 'heard', at: Date.now() });
        if (message.is === 'action') this.#listener.action(message.action);
        if (message.is === 'state') this.#listener.state(message.state);
        return;
      case 'state?':
        if (leads) this.#post({ is: 'state', state: this.#listener.current() });
        return;
      case 'here?':
        if (leads) this.#post({ is: 'here' });
        return;
      case 'nudge':
        if (leads) this.#listener.nudged();
        return;
      case 'act':
        if (leads) this.#listener.action(message.action);
    }
  }

  #tick(): void {
    const visible = document.visibilityState === 'visible';
    this.#step({ is: 'tick', at: Date.now(), visible });
    if (visible && this.leads) this.#listener.nudged();
  }

  #step(event: ElectionEvent): void {
    const { election, deed } = elect(this.#election, event);
    this.#election = election;
    if (deed === 'lead') this.#listener.lead();
    else if (deed === 'ask') this.#post({ is: 'here?' });
    else if (deed === 'rob') this.#wait(true);
    else if (deed === 'follow') {
      this.#listener.follow();
      this.#wait(false);
    }
  }

  /** Waits for the lock, or takes it from the tab that has it. */
  #wait(steal: boolean): void {
    this.#giveUp?.abort();
    const giveUp = new AbortController();
    this.#giveUp = giveUp;
    // Held until the tab closes.
    const held = () => {
      this.#step({ is: 'granted' });
      return new Promise<void>(() => undefined);
    };
    // A lock that is taken by force is had at once; the browser allows no signal with it.
    const request = steal
      ? navigator.locks.request(name, { steal }, held)
      : navigator.locks.request(name, { signal: giveUp.signal }, held);
    request.catch(() => {
      if (this.#giveUp === giveUp) this.#step({ is: 'robbed', at: Date.now() });
    });
  }
}
