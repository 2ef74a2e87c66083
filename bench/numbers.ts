// The arithmetic of a bench. Pure.

/** The value below which a share (0 to 1) of the samples lies; of no samples, NaN. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Three figures, as people compare them: 0.142, 1.83, 94.1, 6700. */
export function figures(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(3, digits));
}
