// How deep a JSON value nests, found without recursion: JSON.parse takes any depth, JSON.stringify and every
// recursive walk do not, so whatever is kept or sent on is measured first.

/** The deepest nesting of any value that Leo passes on. */
export const maxJsonDepth = 128;

/** Whether a value nests deeper than a limit; lists and objects count one level each. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const child of Object.values(container)) if (isContainer(child)) next.push(child);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
