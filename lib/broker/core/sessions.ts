// The running gateways, by session and by agent (design 2): an agent runs while it has a session or a live pane.

import type { AgentSummary, Harness, ToolMode } from '../../wire/bodies/agents.js';
import type { SessionId } from '../../wire/ids.js';

export interface Session {
  readonly id: SessionId;
  readonly agent: string;
  readonly harness: Harness | null;
  readonly mode: ToolMode;
  /** The version of Leo that its gateway is of. */
  readonly version: string;
  readonly startedAt: number;
}

export class Sessions {
  readonly #sessions = new Map<SessionId, Session>();
  /** Agents that Leo has started and whose pane lives, with the time of its start. */
  readonly #panes = new Map<string, number>();

  get(id: SessionId): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Adds a session, or takes over what it now says of itself; tells whether its agent had none before. */
  open(session: Session): { readonly firstOfAgent: boolean } {
    const firstOfAgent = !this.runs(session.agent);
    const before = this.#sessions.get(session.id);
    this.#sessions.set(
      session.id,
      before === undefined ? session : { ...session, startedAt: before.startedAt },
    );
    return { firstOfAgent };
  }

  /** Takes over what a session says of its harness once it knows. */
  change(id: SessionId, now: Pick<Session, 'harness' | 'mode'>): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#sessions.set(id, { ...session, ...now });
  }

  /** Ends a session; tells whether it was the last of its agent. */
  close(id: SessionId): { readonly session: Session; readonly lastOfAgent: boolean } | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    this.#sessions.delete(id);
    return { session, lastOfAgent: !this.runs(session.agent) };
  }

  /** An agent's pane has come up; tells whether the agent was not running before. */
  openPane(agent: string, at: number): boolean {
    const first = !this.runs(agent);
    this.#panes.set(agent, at);
    return first;
  }

  /** An agent's pane is gone; tells whether its agent is with it. */
  closePane(agent: string): boolean {
    return this.#panes.delete(agent) && !this.runs(agent);
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  runs(agent: string): boolean {
    return this.#panes.has(agent) || this.ofAgent(agent).length > 0;
  }

  ofAgent(agent: string): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.agent === agent);
  }

  /** The running agents, sorted by name. */
  agents(): readonly AgentSummary[] {
    const byName = new Map<string, Session[]>([...this.#panes.keys()].map((name) => [name, []]));
    for (const session of this.#sessions.values()) {
      const list = byName.get(session.agent) ?? [];
      list.push(session);
      byName.set(session.agent, list);
    }
    return [...byName.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, sessions]) => {
        const [first] = sessions.sort((a, b) => a.startedAt - b.startedAt);
        const pane = this.#panes.get(name);
        const startedAt = pane ?? first?.startedAt;
        if (startedAt === undefined) return [];
        return [
          {
            name,
            kind: pane === undefined ? ('attached' as const) : ('supervised' as const),
            harness: first?.harness ?? null,
            mode: first?.mode ?? null,
            sessions: sessions.length,
            leoVersions: [...new Set(sessions.map((session) => session.version))].sort(),
            startedAt,
          },
        ];
      });
  }
}
