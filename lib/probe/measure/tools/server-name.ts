// Section 5, the last column: what a harness makes of a server's name that is not a plain word.

import { toolName } from '../../conversation.js';
import type { Figures } from '../../figure.js';
import { withRun } from '../../run.js';
import { myTool, offeredOf } from '../../server/probe-tools.js';
import type { Subject } from '../subject.js';

export async function measureServerName(subject: Subject): Promise<Figures> {
  return withRun(
    {
      ...subject,
      serverName: 'my-leo.2',
      content: { tools: () => [myTool.listed], call: () => ({ result: { content: [] } }) },
    },
    async (run) => {
      const harness = run.once('Say something.');
      const turn = await run.conversation.next();
      const offered = offeredOf(turn.request, myTool);
      turn.say('Something.');
      await harness.ended;
      return {
        'server my-leo.2': {
          value: offered === undefined ? 'server dropped' : toolName(offered),
          evidence: `offered: ${turn.request.tools.map(toolName).join(' ').slice(0, 400)}`,
        },
      };
    },
  );
}
