// What callers ask of agents, whoever has started those: the list, a new one, the end of one.

import {
  encodeAgent,
  type WireAgent,
  type WireSpawnBody,
  type WireSupervised,
} from '../../wire/bodies/agents.js';
import { LeoError } from '../../wire/errors.js';
import type { Broker } from '../broker.js';
import { agentMeant } from './names.js';
import { type AgentRecord, paneIn } from './records.js';

/** The agents that run, and those of Leo's that have ended and were not stopped; sorted by name. */
export function agentsOf(broker: Broker): readonly WireAgent[] {
  const { server } = broker.agents;
  const records = new Map(broker.agents.records.map((record) => [record.name, record]));
  const running = broker.core.agents().map((agent) => {
    const record = records.get(agent.name);
    records.delete(agent.name);
    if (record === undefined) return encodeAgent(agent, null);
    return encodeAgent({ ...agent, kind: 'supervised' }, supervised(record, server));
  });
  const others = [...records.values()].map((record) => withoutSession(record, server));
  return [...running, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws {LeoError} as `SupervisedAgents.spawn`. */
export async function spawnAgent(
  broker: Broker,
  body: WireSpawnBody,
): Promise<{ readonly agent: WireAgent }> {
  const { template, name, cwd, prompt } = body;
  const attached = broker.core.agents().map((agent) => agent.name);
  const record = await broker.agents.spawn({ template, name, cwd, prompt }, attached);
  const agent = agentsOf(broker).find((one) => one.name === record.name);
  return { agent: agent ?? withoutSession(record, broker.agents.server) };
}

/**
 * Ends an agent, by its name or a shorthand.
 *
 * @throws {LeoError} `not_found`, `invalid_request`.
 */
export async function stopAgent(broker: Broker, wanted: string): Promise<{ readonly name: string }> {
  const name = agentMeant(
    wanted,
    agentsOf(broker).map((agent) => agent.name),
  );
  if (!broker.agents.records.some((record) => record.name === name)) {
    throw new LeoError(
      'invalid_request',
      `the agent ${name} runs in a window that Leo did not start: end its harness there`,
    );
  }
  await broker.agents.stop(name);
  return { name };
}

function withoutSession(record: AgentRecord, server: string): WireAgent {
  const { name, startedAt } = record;
  return encodeAgent(
    { name, kind: 'supervised', harness: null, mode: null, sessions: 0, leoVersions: [], startedAt },
    supervised(record, server),
  );
}

function supervised({ template, harness, cwd, restarts, life }: AgentRecord, server: string): WireSupervised {
  const pane = paneIn(life);
  return {
    template,
    harness,
    state: life.state,
    detail: 'detail' in life ? life.detail : null,
    cwd,
    restarts,
    restart_at: life.state === 'restarting' ? new Date(life.at).toISOString() : null,
    tmux:
      pane === undefined
        ? null
        : { server, pane: pane.paneId, pid: pane.pid, server_start: pane.serverStart },
  };
}
