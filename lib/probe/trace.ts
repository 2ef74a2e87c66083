// What was seen during one run of a harness, in order: the evidence of every figure.

import type { JsonValue } from '../wire/json.js';

export type TraceEntry = {
  /** Milliseconds since the run began. */
  readonly at: number;
} & (
  | { readonly kind: 'from-harness'; readonly server: number; readonly message: JsonValue }
  | { readonly kind: 'to-harness'; readonly server: number; readonly message: JsonValue }
  | { readonly kind: 'server'; readonly server: number; readonly what: string }
  | { readonly kind: 'model-asked'; readonly text: string }
  | { readonly kind: 'model-said'; readonly text: string }
  | { readonly kind: 'harness'; readonly what: string }
);

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export interface Trace {
  readonly entries: readonly TraceEntry[];
  /** Milliseconds since the run began. */
  now(): number;
  add(entry: WithoutTime<TraceEntry>): void;
  /** Resolves when the condition holds of the entries, now or after one is added; false when the time is over. */
  until(condition: (entries: readonly TraceEntry[]) => boolean, limitMs: number): Promise<boolean>;
  /** Nothing more is waited for: every wait, also a later one, is over at once. */
  end(): void;
}

export function startTrace(): Trace {
  const started = performance.now();
  const entries: TraceEntry[] = [];
  const watchers = new Set<() => void>();
  const ends = new Set<() => void>();
  let ended = false;
  const now = () => Math.round(performance.now() - started);
  return {
    entries,
    now,
    add: (entry) => {
      entries.push({ at: now(), ...entry });
      for (const watcher of [...watchers]) watcher();
    },
    until: (condition, limitMs) =>
      new Promise((done) => {
        const settle = (held: boolean) => {
          watchers.delete(look);
          ends.delete(end);
          clearTimeout(timer);
          done(held);
        };
        const end = () => settle(false);
        const look = () => {
          if (condition(entries)) settle(true);
        };
        const timer = setTimeout(end, limitMs);
        watchers.add(look);
        ends.add(end);
        look();
        if (ended) end();
      }),
    end: () => {
      ended = true;
      for (const end of [...ends]) end();
    },
  };
}

/** One line for each entry, cut to a length that a person reads. */
export function traceLine(entry: TraceEntry): string {
  const text = entryText(entry);
  return `${String(entry.at).padStart(7)} ms  ${text.length > 600 ? `${text.slice(0, 600)}…` : text}`;
}

function entryText(entry: TraceEntry): string {
  switch (entry.kind) {
    case 'from-harness':
      return `harness -> server ${entry.server}: ${JSON.stringify(entry.message)}`;
    case 'to-harness':
      return `harness <- server ${entry.server}: ${JSON.stringify(entry.message)}`;
    case 'server':
      return `server ${entry.server}: ${entry.what}`;
    case 'harness':
      return `harness: ${entry.what}`;
    case 'model-asked':
      return `harness -> model: ${entry.text}`;
    case 'model-said':
      return `harness <- model: ${entry.text}`;
  }
}
