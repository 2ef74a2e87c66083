// What `leo app run` prints of what happens: a short line for people, or one JSON object a line. Pure.

import type { AppEvent } from '../../app/index.js';
import { oneLine } from '../table.js';

/** A line for people. */
export function eventLine(event: AppEvent): string {
  switch (event.type) {
    case 'connected':
      return `connected to leo ${event.daemon.version}`;
    case 'offered':
      return `offering ${event.tools.join(', ')}`;
    case 'reconnecting':
      return oneLine(`waiting for the daemon: ${event.reason.message}`);
    case 'closed':
      return event.reason === undefined ? 'stopped' : oneLine(`stopped: ${event.reason.message}`);
    case 'offer_refused':
      return oneLine(`the daemon refuses the group ${event.group}: ${event.reason.message}`);
    case 'call_started':
      return `${event.agent} calls ${event.tool}`;
    case 'call_ended': {
      const said = event.code === 'ok' ? 'answered' : `ended: ${event.code}`;
      const why = event.message === undefined ? '' : `: ${event.message}`;
      return oneLine(`${event.agent} ${event.tool} ${said} after ${seconds(event.tookMs)}${why}`);
    }
  }
}

/** One JSON object, in the wire's spelling. */
export function eventJson(event: AppEvent): string {
  switch (event.type) {
    case 'connected':
      return JSON.stringify({
        type: event.type,
        client_id: event.clientId,
        daemon: event.daemon,
      });
    case 'reconnecting':
      return JSON.stringify({
        type: event.type,
        code: event.reason.code,
        error: event.reason.message,
        retry_in_ms: Math.round(event.retryInMs),
      });
    case 'closed':
      return JSON.stringify({
        type: event.type,
        ...(event.reason === undefined ? {} : { code: event.reason.code, error: event.reason.message }),
      });
    case 'offer_refused':
      return JSON.stringify({
        type: event.type,
        group: event.group,
        code: event.reason.code,
        error: event.reason.message,
      });
    case 'offered':
      return JSON.stringify(event);
    case 'call_started':
      return JSON.stringify({ type: event.type, id: event.id, agent: event.agent, tool: event.tool });
    case 'call_ended':
      return JSON.stringify({
        type: event.type,
        id: event.id,
        agent: event.agent,
        tool: event.tool,
        code: event.code,
        ...(event.message === undefined ? {} : { message: event.message }),
        took_ms: Math.round(event.tookMs),
      });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
