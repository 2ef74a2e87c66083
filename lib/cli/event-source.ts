// The daemon's event stream over its unix socket. A file of its own, loaded by the one command that follows it: undici
// takes longer to load than all the rest of a command.

import { EventSource } from 'eventsource';
import { Agent, fetch } from 'undici';

/** Opens the stream of the daemon at a socket; it connects again by itself. */
export function eventSourceAt(socketPath: string): EventSource {
  const dispatcher = new Agent({ connect: { socketPath }, bodyTimeout: 0 });
  return new EventSource('http://leo/api/v1/events', {
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
}
