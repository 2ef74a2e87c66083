// `state/harnesses.json` (design 4): whether the sessions of each harness listed tools again after they were
// told of a change, as it was seen in use. Written by the daemon; a gateway reads it for the sessions that begin
// before it has a link. A file that is missing, torn or of another shape means that nothing was seen.

import { readFileSync } from 'node:fs';

/** What was seen of one version of a harness. */
export interface SeenHarness {
  /** The name and version in `clientInfo`. */
  readonly name: string;
  readonly version: string;
  /** When a session of it last listed again, in ISO 8601; null for never. */
  readonly relisted_at: string | null;
  /** When a session of it last went on without listing again, in ISO 8601; null for never. */
  readonly missed_at: string | null;
}

/** What the file holds. */
export function readSeenHarnesses(path: string): readonly SeenHarness[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const list: unknown =
      typeof value === 'object' && value !== null && 'harnesses' in value ? value.harnesses : undefined;
    return Array.isArray(list) ? list.filter(isSeenHarness) : [];
  } catch {
    return [];
  }
}

/** Whether a harness re-lists, by what was seen last. */
export function seenToRelist({ relisted_at, missed_at }: SeenHarness): boolean {
  return missed_at === null || (relisted_at !== null && relisted_at > missed_at);
}

/** The one that was seen of a harness, by name and version, letter for letter. */
export function findSeen(
  list: Iterable<SeenHarness>,
  harness: { readonly name: string; readonly version: string },
): SeenHarness | undefined {
  for (const seen of list) {
    if (seen.name === harness.name && seen.version === harness.version) return seen;
  }
  return undefined;
}

function isSeenHarness(value: unknown): value is SeenHarness {
  if (typeof value !== 'object' || value === null) return false;
  const { name, version, relisted_at, missed_at } = value as Partial<Record<keyof SeenHarness, unknown>>;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    [relisted_at, missed_at].every((time) => time === null || typeof time === 'string')
  );
}
