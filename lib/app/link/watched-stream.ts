// A provider stream that can be believed: its first event is `hello`, its events follow one another without a
// gap, and its other end lives. A stream that breaks one of these is ended with the reason.

import { LeoAppError } from '../errors.js';
import { openProviderStream, type ProviderStream } from './provider-stream.js';
import { decodeStreamEvent, type StreamEvent, seqOf } from './stream-events.js';
import { type Target, targetName } from './target.js';

/** Heartbeats that may be missed before a stream is taken for dead. */
const missedHeartbeats = 2.5;
/** What a heartbeat is taken for before `hello` says it, in milliseconds. */
const heartbeatBeforeHelloMs = 15_000;
/** How often the time since the last byte is looked at, in milliseconds. */
const lookEveryMs = 1000;

export interface WatchedListener {
  event(event: StreamEvent): void;
  /** Comes once, unless `close` was called before. */
  ended(reason: LeoAppError): void;
}

/** Opens a provider stream; the listener's first event is a `hello`. */
export function openWatchedStream(
  target: Target,
  clientKey: string | undefined,
  now: () => number,
  listener: WatchedListener,
): ProviderStream {
  let heardAt = now();
  let heartbeatMs = heartbeatBeforeHelloMs;
  let seq: number | undefined;
  let greeted = false;

  const close = () => {
    clearInterval(watch);
    stream.close();
  };
  const giveUp = (reason: LeoAppError) => {
    close();
    listener.ended(reason);
  };
  const watch = setInterval(() => {
    const silentMs = now() - heardAt;
    if (silentMs <= missedHeartbeats * heartbeatMs) return;
    giveUp(new LeoAppError('unreachable', `the daemon has been silent for ${Math.round(silentMs / 1000)} s`));
  }, lookEveryMs);

  const stream = openProviderStream(target, clientKey, {
    heard: () => {
      heardAt = now();
    },
    event: (type, id, data) => {
      const before = seq;
      seq = seqOf(id) ?? seq;
      if (before !== undefined && seq !== before + 1) {
        return giveUp(new LeoAppError('internal', `the stream went from event ${before} to ${seq}`));
      }
      const event = decodeStreamEvent(type, data);
      if (event?.type === 'hello') {
        greeted = true;
        heartbeatMs = event.hello.heartbeatMs;
      } else if (!greeted) {
        return giveUp(
          new LeoAppError('unreachable', `what answers at ${targetName(target)} does not say hello`),
        );
      }
      if (event !== undefined) listener.event(event);
    },
    ended: giveUp,
  });
  return { close };
}
