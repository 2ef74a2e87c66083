// What apps have registered (design 6): who holds which tool's name. A registration is checked whole before any
// of it counts, and replaces its group as a whole.

import { LeoError } from '../../../wire/errors.js';
import type { ClientId } from '../../../wire/ids.js';
import { foldToolName } from '../../../wire/names.js';
import { maxTools, type Tool } from '../../../wire/tool.js';

/** A registered tool and who answers for it. */
export interface Registered {
  readonly client: ClientId;
  readonly group: string;
  readonly tool: Tool;
}

/** What a registration or a withdrawal changed. */
export interface RegistryChange {
  /** Whether anything did; nothing is told to anyone otherwise. */
  readonly changed: boolean;
  /** Tools that no longer are, so that their calls can end. */
  readonly removed: readonly Registered[];
  /** Tools that were not there before under this name by this app. */
  readonly added: readonly Registered[];
}

const nothing: RegistryChange = { changed: false, removed: [], added: [] };

export class Registry {
  /** By folded name. */
  readonly #tools = new Map<string, Registered>();
  #revision = 0;

  /** Goes up by one with each change. */
  get revision(): number {
    return this.#revision;
  }

  /** The tool of exactly this name. */
  find(name: string): Registered | undefined {
    const found = this.#tools.get(foldToolName(name));
    return found?.tool.name === name ? found : undefined;
  }

  /** Every tool, sorted by name, so that equal registries are written as equal bytes. */
  all(): readonly Registered[] {
    return [...this.#tools.values()].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  }

  /** The tools of one app's group, in the order of their names. */
  group(client: ClientId, group: string): readonly Registered[] {
    return this.all().filter((entry) => entry.client === client && entry.group === group);
  }

  /**
   * Replaces a group's tools; an empty list withdraws the group.
   *
   * @throws {LeoError} `too_many_tools`, then `name_conflict` naming the holder; nothing has changed then.
   */
  register(client: ClientId, group: string, tools: readonly Tool[]): RegistryChange {
    const before = this.group(client, group);
    if (tools.length > maxTools)
      throw new LeoError('too_many_tools', `a group has at most ${maxTools} tools, not ${tools.length}`);
    const total = this.#tools.size - before.length + tools.length;
    if (total > maxTools) {
      throw new LeoError(
        'too_many_tools',
        `the daemon has at most ${maxTools} tools; this registration would make ${total}`,
      );
    }
    for (const tool of tools) {
      const holder = this.#tools.get(foldToolName(tool.name));
      if (holder !== undefined && (holder.client !== client || holder.group !== group)) {
        const whose = holder.client === client ? 'of this same app' : `of the app ${holder.client}`;
        throw new LeoError(
          'name_conflict',
          `the name "${tool.name}" is held by the group "${holder.group}" ${whose}`,
        );
      }
    }
    if (
      sameTools(
        before.map((entry) => entry.tool),
        tools,
      )
    )
      return nothing;
    for (const entry of before) this.#tools.delete(foldToolName(entry.tool.name));
    const after = tools.map((tool): Registered => ({ client, group, tool }));
    for (const entry of after) this.#tools.set(foldToolName(entry.tool.name), entry);
    this.#revision++;
    return { changed: true, removed: without(before, after), added: without(after, before) };
  }

  /** Takes back everything that an app registered. */
  dropClient(client: ClientId): RegistryChange {
    const removed = this.all().filter((entry) => entry.client === client);
    if (removed.length === 0) return nothing;
    for (const entry of removed) this.#tools.delete(foldToolName(entry.tool.name));
    this.#revision++;
    return { changed: true, removed, added: [] };
  }
}

function without(list: readonly Registered[], others: readonly Registered[]): readonly Registered[] {
  const names = new Set(others.map((entry) => entry.tool.name));
  return list.filter((entry) => !names.has(entry.tool.name));
}

/** Whether two lists hold the same tools, in whatever order they came. */
function sameTools(a: readonly Tool[], b: readonly Tool[]): boolean {
  const written = (tools: readonly Tool[]) =>
    JSON.stringify([...tools].sort((x, y) => (x.name < y.name ? -1 : 1)));
  return a.length === b.length && written(a) === written(b);
}
