// `state/client-tools.json` (design 4): the names of tools that apps have ever registered. It tells a name in
// `deny_tools` from a typing error before any app has come back, and a session of a harness that lists once
// whether app tools are to be expected.

import { readFileSync } from 'node:fs';
import { writePrivately } from '../../config/private-file.js';
import { isDenied } from '../../wire/deny.js';
import { ownTools } from '../../wire/names.js';

/** Names beyond this many are not remembered: an app that makes up names must not fill the disk. */
const maxRemembered = 4096;

export class RememberedTools {
  readonly #names: Set<string>;

  /** @param log is told when the file cannot be written; the names are remembered for this run all the same. */
  constructor(
    readonly path: string,
    readonly log: (line: string) => void,
  ) {
    this.#names = new Set(read(path));
  }

  get any(): boolean {
    return this.#names.size > 0;
  }

  /** Whether a name or glob is of a tool that was ever registered, or of one of Leo's own. */
  matches(pattern: string): boolean {
    return [...ownTools, ...this.#names].some((name) => isDenied([pattern], name));
  }

  /** Remembers names; writes the file when one is new. */
  add(names: readonly string[]): void {
    const before = this.#names.size;
    for (const name of names) if (this.#names.size < maxRemembered) this.#names.add(name);
    if (this.#names.size === before) return;
    try {
      writePrivately(this.path, `${JSON.stringify({ tools: [...this.#names].sort() }, null, 2)}\n`);
    } catch (error) {
      // A full disk must not keep an app from offering its tools.
      this.log(`warning: ${this.path} is not written: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** A file that is missing or torn remembers nothing; the next registration writes it anew. */
function read(path: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const tools: unknown =
      typeof value === 'object' && value !== null && 'tools' in value ? value.tools : undefined;
    return Array.isArray(tools) ? tools.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
