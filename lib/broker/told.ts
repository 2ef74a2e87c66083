// What the log tells of the events, at the level of information: who is here and who has left, which tools there are, and the
// calls that did not end well. With ten agents at work it is a few lines an hour; every event is there at `debug`. Pure.
//
// What must stay true: as those see it who may only watch, without arguments and results; tools and agents by their names.

import type { Harness } from '../wire/bodies/agents.js';
import type { BrokerEvent } from '../wire/events.js';
import type { RequestId } from '../wire/ids.js';

/** A line, or undefined where there is nothing that an operator would look for. */
export function told(event: BrokerEvent): string | undefined {
  switch (event.type) {
    case 'agent.started':
      return `agent ${event.name} is here${harnessIn(event)}`;
    case 'agent.stopped':
      return `agent ${event.name} has left${harnessIn(event)}`;
    case 'agent.message': {
      const how = event.submitted === true ? 'submitted' : event.submitted;
      return `message ${event.id} from ${event.from} to ${event.name}: ${how}`;
    }
    case 'client_tools.changed':
      return `tools: ${event.tools.length === 0 ? 'none' : event.tools.join(', ')}`;
    case 'client_tool.cancelled':
      return `call ${event.id} of ${event.agent} to ${event.tool}: ${event.reason}`;
    case 'client_tool.settled':
      return event.outcome === 'ok' ? undefined : `call ${event.id}: the app has failed: ${event.outcome}`;
    case 'client_tool.request':
    case 'client_tool.claimed':
      return undefined;
  }
}

/** Of a call that ended before any app was told of it. */
export function toldOfRefused(id: RequestId, agent: string | undefined, code: string): string {
  return `call ${id} of ${agent ?? 'an agent that has left'}: ${code}`;
}

function harnessIn({ harness }: { readonly harness: Harness | null }): string {
  return harness === null ? '' : `: ${`${harness.name} ${harness.version}`.trim()}`;
}
