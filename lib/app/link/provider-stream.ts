// One provider stream: a GET that stays open and its events (design 5). It ends once, with a reason, and is
// never opened again by itself: when, and where to, is decided in link/daemon-link.ts.
//
// The `eventsource` package reads the format. Three of its habits are kept out: it waits a fixed time and
// dials again (here a stream ends quietly instead), it hides comments (the bytes are watched on their way to
// it), and it drops events that nobody listens for (all of them pass `dispatchEvent`, so that gaps are seen).

import { EventSource, type EventSourceFetchInit, type FetchLikeResponse } from 'eventsource';
import { Client } from 'undici';
import { routes } from '../../wire/routes.js';
import { LeoAppError } from '../errors.js';
import { type Target, targetName } from './target.js';
import { verdictOf } from './verdict.js';

const connectWithinMs = 5000;
const headersWithinMs = 10_000;

export interface StreamListener {
  /** An event, or a part of one, or a comment: the other end lives. */
  heard(): void;
  event(type: string, id: string, data: string): void;
  /** Comes once, unless `close` was called before. */
  ended(reason: LeoAppError): void;
}

export interface ProviderStream {
  /** Ends the stream; the listener hears nothing more. May be called twice. */
  close(): void;
}

/** Opens a provider stream. */
export function openProviderStream(
  target: Target,
  clientKey: string | undefined,
  listener: StreamListener,
): ProviderStream {
  const query = new URLSearchParams({
    client_tools: '1',
    ...(clientKey === undefined ? {} : { client_key: clientKey }),
  });
  const path = `${routes.events.path}?${query}`;
  const client = new Client(target.origin, {
    headersTimeout: headersWithinMs,
    // A stream may be silent between heartbeats; who listens decides when it is dead.
    bodyTimeout: 0,
    connect: {
      timeout: connectWithinMs,
      ...(target.socket === undefined ? {} : { socketPath: target.socket }),
    },
  });
  let over = false;
  const close = () => {
    over = true;
    source.close();
    client.destroy().catch(() => undefined);
  };
  const end = (reason: unknown) => {
    if (over) return;
    close();
    listener.ended(asAppError(reason, target));
  };

  const open = async (_url: string | URL, init: EventSourceFetchInit): Promise<FetchLikeResponse> => {
    try {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path,
        headers: {
          ...init.headers,
          ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
        },
      });
      if (statusCode !== 200) {
        const verdict = verdictOf(statusCode, await body.text());
        throw verdict.is === 'accepted' ? new LeoAppError('internal', `status ${statusCode}`) : verdict.error;
      }
      const type = String(headers['content-type'] ?? '');
      if (!type.startsWith('text/event-stream')) {
        throw new LeoAppError(
          'unreachable',
          `what answers at ${targetName(target)} is not Leo: it sent ${type || 'no type'}`,
        );
      }
      const chunks = body[Symbol.asyncIterator]();
      const read = async (): Promise<{ done: false; value: unknown } | { done: true }> => {
        try {
          const next = await chunks.next();
          if (next.done === true) end(new LeoAppError('unreachable', 'the daemon ended the stream'));
          else if (!over) listener.heard();
          return over ? { done: true } : { done: false, value: next.value };
        } catch (error) {
          end(error);
          return { done: true };
        }
      };
      return {
        status: 200,
        url: target.origin,
        redirected: false,
        headers: { get: () => type },
        body: { getReader: () => ({ read, cancel: async () => close() }) },
      };
    } catch (error) {
      end(error);
      // The one error that makes EventSource give up without a word or a timer.
      throw new DOMException('the stream has ended', 'AbortError');
    }
  };

  const source = new AllEvents(new URL(path, target.origin), open, (event) => {
    if (!over) listener.event(event.type, event.lastEventId, String(event.data));
  });
  return { close };
}

/** An EventSource that hands over every event, whatever its type. */
class AllEvents extends EventSource {
  readonly #take: (event: MessageEvent) => void;

  constructor(
    url: URL,
    fetch: (url: string | URL, init: EventSourceFetchInit) => Promise<FetchLikeResponse>,
    take: (event: MessageEvent) => void,
  ) {
    super(url, { fetch });
    this.#take = take;
  }

  override dispatchEvent(event: Event): boolean {
    if (event instanceof MessageEvent) this.#take(event);
    return true;
  }
}

function asAppError(reason: unknown, target: Target): LeoAppError {
  if (reason instanceof LeoAppError) return reason;
  const said = reason instanceof Error ? reason.message : String(reason);
  return new LeoAppError('unreachable', `no daemon answers at ${targetName(target)}: ${said}`, {
    cause: reason,
  });
}
