// What the daemon counts of itself (docs/operators.md, "Metrics"). The counting is on the way of every call, so it is a
// few numbers and no more; everything else is looked up when somebody asks.
//
// What must stay true: the values of labels come from closed sets; no name of a tool or an agent, no argument, result,
// text or token is in here.

import { errorTable } from '../../wire/errors.js';
import type { BrokerEvent } from '../../wire/events.js';
import type { RequestId } from '../../wire/ids.js';
import { exposition, type Family } from './exposition.js';
import { Histogram, latencyBounds } from './histogram.js';

/** How a call ends otherwise than by an app's answer (design 7). */
const endings: ReadonlySet<string> = new Set([
  'no_client',
  'timeout',
  'cancelled',
  'denied',
  'invalid_arguments',
]);

/** What stands at this moment, in numbers. */
export interface Standing {
  readonly version: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly residentBytes: number;
  readonly openCalls: { readonly parked: number; readonly claimed: number };
  readonly streams: { readonly provider: number; readonly watcher: number };
  /** One of each session. */
  readonly sessions: readonly { readonly harness: string; readonly mode: string }[];
  readonly tools: number;
}

export class Metrics {
  readonly #ended = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  /** When each open call was made, in milliseconds of the broker's clock, and whether it was ever claimed. */
  readonly #open = new Map<RequestId, { readonly madeAt: number; claimed: boolean }>();
  readonly #claim = new Histogram(latencyBounds);
  readonly #settle = new Histogram(latencyBounds);
  #listChanged = 0;

  /** An event goes out to the streams: each step of a call is told there once. */
  published(event: BrokerEvent, now: number): void {
    switch (event.type) {
      case 'client_tool.request':
        // It is told again when its claimant has gone.
        if (!this.#open.has(event.request.id))
          this.#open.set(event.request.id, { madeAt: event.request.createdAt, claimed: false });
        return;
      case 'client_tool.claimed': {
        const call = this.#open.get(event.id);
        // The second claim, after the first app has gone, waited for more than an app to take it.
        if (call === undefined || call.claimed) return;
        call.claimed = true;
        return this.#claim.observe((now - call.madeAt) / 1000);
      }
      case 'client_tool.settled':
        return this.#end(event.id, event.outcome === 'ok' ? 'ok' : 'failed', now);
      case 'client_tool.cancelled':
        return this.#end(event.id, endings.has(event.reason) ? event.reason : 'failed', now);
    }
  }

  /** A call was answered without ever being parked. */
  neverParked(code: string): void {
    this.#count(this.#ended, endings.has(code) ? code : 'failed');
  }

  /** A request was refused, over HTTP or as an upgrade. */
  refused(code: string): void {
    this.#count(this.#refused, code);
  }

  /** A gateway has told its harness that the list has changed. */
  listChanged(times: number): void {
    this.#listChanged += times;
  }

  /** All of it, as text. */
  text(standing: Standing): string {
    return exposition(this.#families(standing));
  }

  #end(id: RequestId, outcome: string, now: number): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (call !== undefined) this.#settle.observe((now - call.madeAt) / 1000);
    this.#count(this.#ended, outcome);
  }

  #count(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  #families(standing: Standing): readonly Family[] {
    const { version, startedAt, residentBytes, openCalls, streams, sessions, tools } = standing;
    return [
      {
        name: 'leo_calls_total',
        help: 'Calls that have ended, by how: ok, failed (an error of the app), or a code of the broker.',
        type: 'counter',
        // Every outcome from the start, so that a rate can be taken of the first.
        samples: ['ok', 'failed', ...endings].map((outcome) => ({
          labels: { outcome },
          value: this.#ended.get(outcome) ?? 0,
        })),
      },
      {
        name: 'leo_calls_open',
        help: 'Calls that wait now: parked for an app, or claimed by one.',
        type: 'gauge',
        samples: Object.entries(openCalls).map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        name: 'leo_call_claim_seconds',
        help: 'From a call to its first claim.',
        type: 'histogram',
        histogram: this.#claim,
      },
      {
        name: 'leo_call_settle_seconds',
        help: 'From a call to its end, however it ended.',
        type: 'histogram',
        histogram: this.#settle,
      },
      {
        name: 'leo_streams',
        help: 'Open event streams: of apps that offer tools, and of those that watch.',
        type: 'gauge',
        samples: Object.entries(streams).map(([kind, value]) => ({ labels: { kind }, value })),
      },
      {
        name: 'leo_sessions',
        help: 'Sessions of agents, by harness and by how it is shown tools.',
        type: 'gauge',
        samples: counted(sessions),
      },
      {
        name: 'leo_tools',
        help: 'Tools that apps offer now.',
        type: 'gauge',
        samples: [{ value: tools }],
      },
      {
        name: 'leo_list_changed_total',
        help: 'Times that gateways have told their harnesses that the list of tools has changed.',
        type: 'counter',
        samples: [{ value: this.#listChanged }],
      },
      {
        name: 'leo_requests_refused_total',
        help: 'Requests that were refused, by the code of the error.',
        type: 'counter',
        samples: Object.keys(errorTable).map((code) => ({
          labels: { code },
          value: this.#refused.get(code) ?? 0,
        })),
      },
      {
        name: 'leo_build_info',
        help: 'Always 1; the version of Leo is its label.',
        type: 'gauge',
        samples: [{ labels: { version }, value: 1 }],
      },
      {
        name: 'process_start_time_seconds',
        help: 'When the daemon was started, in seconds since 1970.',
        type: 'gauge',
        samples: [{ value: startedAt / 1000 }],
      },
      {
        name: 'process_resident_memory_bytes',
        help: 'Memory that the daemon has.',
        type: 'gauge',
        samples: [{ value: residentBytes }],
      },
    ];
  }
}

function counted(sessions: Standing['sessions']) {
  const counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();
  for (const { harness, mode } of sessions) {
    const key = `${harness} ${mode}`;
    const entry = counts.get(key) ?? { labels: { harness, mode }, value: 0 };
    entry.value++;
    counts.set(key, entry);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sample]) => sample);
}
