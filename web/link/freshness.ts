// Asks the daemon for what the events do not say: never twice at once, and not more often than it can bear.

import { decodeAgents, decodeCalls, decodeGroups } from '../model/decode.js';
import type { Facts, State } from '../model/facts.js';
import { type Action, isStale } from '../model/reduce.js';
import type { Api } from './api.js';
import { restMs } from './backoff.js';
import { places } from './places.js';

const all: readonly Facts[] = ['agents', 'groups', 'calls'];
const pathOf: Readonly<Record<Facts, string>> = {
  agents: places.agents,
  groups: places.tools,
  calls: places.calls,
};

export class Freshness {
  readonly #api: Api;
  readonly #state: () => State;
  readonly #dispatch: (action: Action) => void;
  readonly #notBefore: Record<Facts, number> = { agents: 0, groups: 0, calls: 0 };
  readonly #asking = new Set<Facts>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(api: Api, state: () => State, dispatch: (action: Action) => void) {
    this.#api = api;
    this.#state = state;
    this.#dispatch = dispatch;
  }

  /** Asks for what is stale, now or as soon as it may. */
  look(): void {
    const now = Date.now();
    const due = all.filter((facts) => isStale(this.#state(), facts) && !this.#asking.has(facts));
    for (const facts of due) if (this.#notBefore[facts] <= now) void this.#ask(facts);
    const later = due.map((facts) => this.#notBefore[facts]).filter((at) => at > now);
    if (later.length === 0 || this.#over) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), Math.min(...later) - now);
  }

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  async #ask(facts: Facts): Promise<void> {
    const asOf = this.#state().wanted[facts];
    const asked = Date.now();
    this.#asking.add(facts);
    const answer = await this.#api.send(pathOf[facts]);
    this.#asking.delete(facts);
    const now = Date.now();
    this.#notBefore[facts] = now + restMs(now - asked);
    if (this.#over) return;
    // Without an answer the stream is about to end too, and the next hello asks for everything.
    if (answer.is !== 'done') return;
    const { data } = answer;
    if (facts === 'agents') this.#dispatch({ type: 'agents', asOf, agents: decodeAgents(data, now) });
    else if (facts === 'groups') this.#dispatch({ type: 'groups', asOf, groups: decodeGroups(data) });
    else this.#dispatch({ type: 'calls', asOf, calls: decodeCalls(data, now) });
    this.look();
  }
}
