// Where the daemon listens over TCP, by `web.bind` (design 5). Pure.

/** Addresses on one port. */
export interface Addresses {
  /** What leo.yaml names: the daemon does not start without it. */
  readonly first: string;
  /**
   * Loopback, where the first leaves it out: apps, scripts and browsers of this machine ask there, whatever else is let
   * in. The daemon starts without it where the machine has none or the port is another's there.
   */
  readonly beside: readonly string[];
}

/** @param bind an address or a name, as leo.yaml has it. */
export function addressesFor(bind: string): Addresses {
  if (bind === '127.0.0.1' || bind === '0.0.0.0') return { first: bind, beside: ['::1'] };
  // Both kinds are in it, or one loopback alone was asked for.
  if (bind === '::' || bind === '::1' || bind === 'localhost') return { first: bind, beside: [] };
  return { first: bind, beside: ['127.0.0.1', '::1'] };
}

/** The host that a client on this machine reaches an address by, as a URL has it. */
export function reachable(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1';
  return bind.includes(':') ? `[${bind}]` : bind;
}
