// Who owns an agent's group (design 2): the first claimant of one of its requests, from then on, until that
// app is gone for good or the agent is. An agent that photographs with one phone does not get the next photo
// from another.
//
// A group is one app's: two apps that chose the same name for theirs share nothing by it.

import type { ClientId } from '../../../wire/ids.js';

/** A group of one app; every call names its own. */
export interface OwnedGroup {
  readonly provider: ClientId;
  readonly group: string;
}

export class Ownership {
  readonly #owners = new Map<string, Map<string, ClientId>>();

  /** The owner of a group for an agent, if there is one. */
  ownerOf(agent: string, group: OwnedGroup): ClientId | undefined {
    return this.#owners.get(agent)?.get(keyOf(group));
  }

  /** Makes a claimant the owner, unless the group has one for this agent already. */
  claim(agent: string, group: OwnedGroup, client: ClientId): void {
    const groups = this.#owners.get(agent) ?? new Map<string, ClientId>();
    const key = keyOf(group);
    if (!groups.has(key)) groups.set(key, client);
    this.#owners.set(agent, groups);
  }

  /** Forgets what an app owned, and who owned its groups. */
  dropClient(client: ClientId): void {
    for (const [agent, groups] of this.#owners) {
      for (const [key, owner] of groups)
        if (owner === client || key.startsWith(`${client} `)) groups.delete(key);
      if (groups.size === 0) this.#owners.delete(agent);
    }
  }

  /** Forgets who owned an agent's groups. */
  dropAgent(agent: string): void {
    this.#owners.delete(agent);
  }
}

function keyOf({ provider, group }: OwnedGroup): string {
  return `${provider} ${group}`;
}
