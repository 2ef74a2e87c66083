// `state/apps.json`: when the apps of each group were last seen connected. Names and times, nothing else. Written by
// the daemon; `leo doctor` reads it. A file that is missing, torn or of another shape means that none was seen.

import { readFileSync } from 'node:fs';

/** The apps that offered one group of tools. */
export interface SeenApp {
  readonly group: string;
  /** In ISO 8601; within a minute. */
  readonly last_seen: string;
}

/** What the file holds. */
export function readSeenApps(path: string): readonly SeenApp[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const list: unknown =
      typeof value === 'object' && value !== null && 'apps' in value ? value.apps : undefined;
    return Array.isArray(list) ? list.filter(isSeenApp) : [];
  } catch {
    return [];
  }
}

function isSeenApp(value: unknown): value is SeenApp {
  if (typeof value !== 'object' || value === null) return false;
  const { group, last_seen } = value as Partial<Record<keyof SeenApp, unknown>>;
  return typeof group === 'string' && typeof last_seen === 'string' && !Number.isNaN(Date.parse(last_seen));
}
