// One event stream: a request that stays open. It ends once and is never opened again by itself.
//
// What must stay true: silence of three heartbeats is the end of a stream, since a connection that was cut while
// the machine slept says nothing; events that came in one piece are told together.

import { signedInWord } from './session.js';
import { nothingUnread, type RawEvent, readPiece } from './sse.js';

export interface StreamListener {
  events(events: readonly RawEvent[]): void;
  /** Comes once, unless `close` was called; with the status of a refusal. */
  ended(status: number | undefined): void;
}

export interface EventStream {
  /** Ends the stream; the listener hears nothing more. May be called twice. */
  close(): void;
  /** Ends the stream if it has been silent for too long. A browser that sleeps runs no timers: ask when it wakes. */
  check(): void;
}

const silentMs = 45_000;
const openWithinMs = 10_000;

/** Opens a stream at a path. */
export function openEventStream(path: string, listener: StreamListener): EventStream {
  const cut = new AbortController();
  let over = false;
  let heardAt = Date.now();
  let open = false;
  const close = () => {
    over = true;
    clearInterval(watch);
    cut.abort();
  };
  const end = (status?: number) => {
    if (over) return;
    close();
    listener.ended(status);
  };
  const check = () => {
    if (Date.now() - heardAt > (open ? silentMs : openWithinMs)) end();
  };
  const watch = setInterval(check, 5000);
  const read = async () => {
    const response = await fetch(path, {
      headers: { 'x-leo-console': signedInWord() ?? '' },
      cache: 'no-store',
      signal: cut.signal,
    });
    if (response.status !== 200 || response.body === null) return end(response.status);
    open = true;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let unread = nothingUnread;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || over) return end();
      heardAt = Date.now();
      const piece = readPiece(unread, value);
      unread = piece.unread;
      if (piece.events.length > 0) listener.events(piece.events);
    }
  };
  read().catch(() => end());
  return { close, check };
}
