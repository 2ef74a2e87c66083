import t from 'tap';
import { told, toldOfRefused } from '../../lib/broker/told.js';
import type { BrokerEvent } from '../../lib/wire/events.js';
import { clientId, requestId } from '../../lib/wire/ids.js';

const id = requestId('r_1');
const harness = { name: 'claude-code', version: '2.1.0' };

t.test('the log tells who comes and goes, what there is, and which calls did not end well', async (t) => {
  const rows: readonly (readonly [BrokerEvent, string | undefined])[] = [
    [{ type: 'agent.started', name: 'rocket', harness: null, mode: 'fallback' }, 'agent rocket is here'],
    [
      { type: 'agent.started', name: 'rocket', harness, mode: 'native' },
      'agent rocket is here: claude-code 2.1.0',
    ],
    [
      { type: 'agent.stopped', name: 'rocket', harness: { name: 'x', version: '' } },
      'agent rocket has left: x',
    ],
    [
      { type: 'agent.message', id: 'm_1', name: 'rocket', from: 'scout', submitted: true },
      'message m_1 from scout to rocket: submitted',
    ],
    [
      { type: 'agent.message', id: 'm_1', name: 'rocket', from: 'scout', submitted: 'unconfirmed' },
      'message m_1 from scout to rocket: unconfirmed',
    ],
    [{ type: 'client_tools.changed', revision: 1, tools: ['look', 'tune'] }, 'tools: look, tune'],
    [{ type: 'client_tools.changed', revision: 2, tools: [] }, 'tools: none'],
    [
      { type: 'client_tool.cancelled', id, agent: 'rocket', tool: 'look', reason: 'timeout' },
      'call r_1 of rocket to look: timeout',
    ],
    [{ type: 'client_tool.settled', id, outcome: 'no_paper' }, 'call r_1: the app has failed: no_paper'],
    [{ type: 'client_tool.settled', id, outcome: 'ok' }, undefined],
    [{ type: 'client_tool.claimed', id, clientId: clientId('c_1') }, undefined],
  ];
  for (const [event, line] of rows) t.equal(told(event), line, JSON.stringify(event));
  t.equal(toldOfRefused(id, 'rocket', 'denied'), 'call r_1 of rocket: denied');
  t.equal(toldOfRefused(id, undefined, 'denied'), 'call r_1 of an agent that has left: denied');
});
