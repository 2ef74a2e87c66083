// The apps that the broker knows (design 5, "Reconnecting apps"): connected while their provider stream is, and
// away for a while after it when they have a `client_key`.

import type { ClientId } from '../../../wire/ids.js';
import type { StreamId } from '../effects.js';

export interface Client {
  readonly id: ClientId;
  /** Whether it comes back under its own key, and so keeps its id. */
  readonly keyed: boolean;
  readonly presence:
    | { readonly state: 'connected'; readonly stream: StreamId }
    /** Away until a time of the broker's clock, in milliseconds; gone for good then. */
    | { readonly state: 'away'; readonly until: number };
}

export class Clients {
  readonly #clients = new Map<ClientId, Client>();
  readonly #byStream = new Map<StreamId, ClientId>();

  get(id: ClientId): Client | undefined {
    return this.#clients.get(id);
  }

  isConnected(id: ClientId): boolean {
    return this.#clients.get(id)?.presence.state === 'connected';
  }

  all(): readonly Client[] {
    return [...this.#clients.values()];
  }

  /** Connects an app; gives the older stream of the same app, which the newer one replaces. */
  connect(id: ClientId, keyed: boolean, stream: StreamId): StreamId | undefined {
    const before = this.#clients.get(id)?.presence;
    const replaced = before?.state === 'connected' ? before.stream : undefined;
    if (replaced !== undefined) this.#byStream.delete(replaced);
    this.#clients.set(id, { id, keyed, presence: { state: 'connected', stream } });
    this.#byStream.set(stream, id);
    return replaced;
  }

  /** The app whose current stream this is; undefined for a stream that was replaced. */
  ofStream(stream: StreamId): Client | undefined {
    const id = this.#byStream.get(stream);
    return id === undefined ? undefined : this.#clients.get(id);
  }

  /** Notes that a keyed app is away, and may come back until a time. */
  away(id: ClientId, until: number): void {
    this.#forgetStream(id);
    this.#clients.set(id, { id, keyed: true, presence: { state: 'away', until } });
  }

  remove(id: ClientId): void {
    this.#forgetStream(id);
    this.#clients.delete(id);
  }

  #forgetStream(id: ClientId): void {
    const presence = this.#clients.get(id)?.presence;
    if (presence?.state === 'connected') this.#byStream.delete(presence.stream);
  }
}
