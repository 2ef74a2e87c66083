// How versions compare. Pure.

/**
 * The order of two versions: negative where the first is older, positive where it is newer, 0 where neither is, or
 * where it cannot be told. What stands behind a `-` makes a version older than without.
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  if (one === undefined || other === undefined) return 0;
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(other.length < 4 ? 0 : 1) - Number(one.length < 4 ? 0 : 1);
}

/** Whether two versions of Leo understand each other: those of one minor version, or of neighbouring ones. */
export function understandEachOther(a: string, b: string): boolean {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  if (one === undefined || other === undefined) return false;
  const [major = 0, minor = 0] = one;
  return major === other[0] && Math.abs(minor - (other[1] ?? 0)) <= 1;
}

/** The three numbers, and a fourth where something follows a `-`. */
function numbersOf(version: string): readonly number[] | undefined {
  const [, major, minor, patch, before] = /^v?(\d+)\.(\d+)\.(\d+)(-)?/.exec(version) ?? [];
  if (major === undefined) return undefined;
  const numbers = [major, minor, patch].map(Number);
  return before === undefined ? numbers : [...numbers, 0];
}
