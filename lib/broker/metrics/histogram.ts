// How long things took, as Prometheus counts it: in buckets with upper bounds. Pure but for its own counts.

/** Upper bounds in seconds: from what a program takes to what a person does. */
export const latencyBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400,
  86_400,
] as const;

export class Histogram {
  /** How many fell into each bucket and no smaller one; the last is for what is over every bound. */
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds ascending, in seconds. */
  constructor(readonly bounds: readonly number[]) {
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** Counts one. A clock that went back took no time. */
  observe(seconds: number): void {
    const took = Math.max(0, seconds);
    let at = 0;
    while (at < this.bounds.length && took > (this.bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += took;
  }

  /** In seconds, of all. */
  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** How many took at most each bound, in the order of the bounds. */
  get cumulative(): readonly number[] {
    let sum = 0;
    return this.bounds.map((_, at) => {
      sum += this.#counts[at] ?? 0;
      return sum;
    });
  }
}
