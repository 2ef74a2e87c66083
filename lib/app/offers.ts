// What an app offers: groups of tools, and who handles a call of one. No I/O.
//
// A group that is being replaced has two sets of tools until the daemon has taken the new one: a call of either
// finds its handler, and a refusal brings the old set back.

import type { ToolOffer } from './tool.js';

interface Group {
  readonly tools: ReadonlyMap<string, ToolOffer>;
  /** What the daemon has last taken, while it is asked to take `tools`. */
  readonly taken: ReadonlyMap<string, ToolOffer> | undefined;
}

export class Offers {
  readonly #groups = new Map<string, Group>();

  /** The groups, in the order in which they were first offered, and the tools of each. */
  all(): readonly (readonly [group: string, tools: readonly ToolOffer[]])[] {
    return [...this.#groups].map(([group, { tools }]) => [group, [...tools.values()]]);
  }

  has(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Who handles a call; undefined where it is not ours. */
  find(group: string, tool: string): ToolOffer | undefined {
    const found = this.#groups.get(group);
    return found?.tools.get(tool) ?? found?.taken?.get(tool);
  }

  /** A group is offered, or replaced. Ends with `settle` or `undo`. */
  begin(group: string, tools: readonly ToolOffer[]): { settle(): void; undo(): void } {
    const before = this.#groups.get(group);
    const after = new Map(tools.map((tool) => [tool.name, tool]));
    this.#groups.set(group, { tools: after, taken: before?.tools });
    return {
      settle: () => {
        this.#groups.set(group, { tools: after, taken: undefined });
      },
      undo: () => {
        if (before === undefined) this.#groups.delete(group);
        else this.#groups.set(group, before);
      },
    };
  }

  remove(group: string): void {
    this.#groups.delete(group);
  }
}
