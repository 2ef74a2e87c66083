// Runs at once, of which none is left alone.

/** What all promises bring; where one fails, its error, but not before the others are over too. */
export async function allOver<T extends readonly unknown[]>(
  runs: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(runs);
  return (await Promise.all(runs)) as T;
}
