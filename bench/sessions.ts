// Waits until the daemon knows so many gateways, or so few.

import { readAgents } from '../lib/cli/answers.js';
import { ask, daemonAddress } from '../lib/cli/daemon-client.js';
import { until } from '../test/support/wait.js';
import type { Stage } from './stage.js';

/** How many sessions the daemon has now. */
async function sessions(stage: Stage): Promise<number> {
  const { agents } = readAgents(await ask(daemonAddress({ LEO_HOME: stage.home }), '/api/v1/agents'));
  return agents.reduce((sum, agent) => sum + agent.sessions, 0);
}

export async function sessionsUp(stage: Stage, count: number): Promise<void> {
  await until(`${count} gateways are linked`, async () => (await sessions(stage)) >= count);
}

export async function sessionsDown(stage: Stage, count: number): Promise<void> {
  await until(`only ${count} gateways are linked`, async () => (await sessions(stage)) <= count);
}
