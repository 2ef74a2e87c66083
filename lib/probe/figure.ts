// What a measurement yields: cells of a table, each with the messages that show it.

import type { Trace, TraceEntry } from './trace.js';
import { traceLine } from './trace.js';

/** One cell: what was seen, in words, and by what. */
export interface Figure {
  readonly value: string;
  readonly evidence: string;
}

/** The cells of one section of the table, by their names. */
export type Figures = Readonly<Record<string, Figure>>;

/** The sections of the table, by their names. */
export type Sections = Readonly<Record<string, Figures>>;

/** The lines of a trace that a condition picks, as evidence; at most `most` of them. */
export function evidenceOf(trace: Trace, pick: (entry: TraceEntry) => boolean, most = 4): string {
  const lines = trace.entries.filter(pick).slice(0, most).map(traceLine);
  return lines.length === 0 ? 'nothing of the kind was seen' : lines.map((line) => line.trim()).join('\n');
}

/** Whether an entry is a message of this method, from the harness. */
export function isFromHarness(entry: TraceEntry, method: string): boolean {
  return (
    entry.kind === 'from-harness' &&
    typeof entry.message === 'object' &&
    entry.message !== null &&
    'method' in entry.message &&
    entry.message.method === method
  );
}
