// Who owns an agent's group (design 2): the first claimant of one of its requests, from then on, until that
// app is gone for good or the agent is. An agent that photographs with one phone does not get the next photo
// from another.

import type { ClientId } from '../../../wire/ids.js';

export class Ownership {
  readonly #owners = new Map<string, Map<string, ClientId>>();

  /** The owner of a group for an agent, if there is one. */
  ownerOf(agent: string, group: string): ClientId | undefined {
    return this.#owners.get(agent)?.get(group);
  }

  /** Makes a claimant the owner, unless the group has one for this agent already. */
  claim(agent: string, group: string, client: ClientId): void {
    const groups = this.#owners.get(agent) ?? new Map<string, ClientId>();
    if (!groups.has(group)) groups.set(group, client);
    this.#owners.set(agent, groups);
  }

  /** Forgets what an app owned. */
  dropClient(client: ClientId): void {
    for (const [agent, groups] of this.#owners) {
      for (const [group, owner] of groups) if (owner === client) groups.delete(group);
      if (groups.size === 0) this.#owners.delete(agent);
    }
  }

  /** Forgets who owned an agent's groups. */
  dropAgent(agent: string): void {
    this.#owners.delete(agent);
  }
}
