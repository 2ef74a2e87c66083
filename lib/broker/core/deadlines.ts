// Times at which something falls due, the earliest first: a binary heap. An entry is never taken out early;
// whoever is told that it is due checks whether it still matters.

export interface Deadline<Key> {
  /** Milliseconds of the clock that the broker was given. */
  readonly at: number;
  readonly key: Key;
}

export class Deadlines<Key> {
  #heap: Deadline<Key>[] = [];

  /** When the next entry falls due, or undefined. */
  get next(): number | undefined {
    return this.#heap[0]?.at;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Takes out every entry that no longer matters. */
  keep(matters: (key: Key) => boolean): void {
    // A sorted list is a heap.
    this.#heap = this.#heap.filter(({ key }) => matters(key)).sort((a, b) => a.at - b.at);
  }

  add(at: number, key: Key): void {
    this.#heap.push({ at, key });
    let child = this.#heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfLater(parent, child)) break;
      child = parent;
    }
  }

  /** Takes out the earliest entry if it is due at a time. */
  takeDue(now: number): Key | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.key;
  }

  #sink(): void {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const right = left + 1;
      const smaller = this.#at(right) < this.#at(left) ? right : left;
      if (smaller >= this.#heap.length || !this.#swapIfLater(parent, smaller)) return;
      parent = smaller;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swapIfLater(parent: number, child: number): boolean {
    const a = this.#heap[parent];
    const b = this.#heap[child];
    if (a === undefined || b === undefined || a.at <= b.at) return false;
    this.#heap[parent] = b;
    this.#heap[child] = a;
    return true;
  }
}
