// The messages of a daemon: its agents, its tmux server and its event stream, put together.

import { randomBytes } from 'node:crypto';
import type { Broker } from '../broker.js';
import { Messages } from './messages.js';

export function messagesOf(broker: Broker): Messages {
  const { agents } = broker;
  return new Messages({
    tmux: agents.tmux,
    panes: agents,
    names: () =>
      new Set([...agents.records.map(({ name }) => name), ...broker.core.agents().map(({ name }) => name)]),
    fateOf: (wanted) => {
      const life = agents.records.find(({ name }) => name === wanted)?.life;
      if (life === undefined) return undefined;
      return 'detail' in life ? `${life.state}: ${life.detail}` : life.state;
    },
    randomId: () => randomBytes(12).toString('base64url'),
    publish: (event) => broker.publish(event),
  });
}
