// Section 1, the second part: what a harness does when `server/discover` is answered.

import { evidenceOf, type Figures } from '../figure.js';
import { ProbeError } from '../probe-error.js';
import { withRun } from '../run.js';
import { myTool, offeredOf, type ProbeTool, secondTool } from '../server/probe-tools.js';
import { announce } from './announce.js';
import type { Subject } from './subject.js';

export async function measureModern(subject: Subject): Promise<Figures> {
  const listed: ProbeTool[] = [myTool];
  return withRun(
    {
      ...subject,
      content: {
        modern: true,
        tools: () => listed.map((tool) => tool.listed),
        call: async ({ connection }) => {
          if (listed.length === 1) {
            listed.push(secondTool);
            await announce(connection, subject.patience.relistMs);
          }
          return { result: { content: [{ type: 'text', text: 'fine' }] } };
        },
      },
    },
    async (run) => {
      const harness = run.once('Call the tool.');
      const first = await run.conversation.next();
      const offered = offeredOf(first.request, myTool);
      if (offered === undefined) throw new ProbeError('the harness does not offer my_tool');
      const again = await first.call(offered);
      const same = offeredOf(again.request, secondTool) !== undefined;
      again.say('Done.');
      await harness.ended;
      const methods = run.trace.entries.flatMap((entry) =>
        entry.kind === 'from-harness' &&
        typeof entry.message === 'object' &&
        entry.message !== null &&
        'method' in entry.message
          ? [String(entry.message.method)]
          : [],
      );
      const discovers = methods.includes('server/discover');
      const evidence = evidenceOf(
        run.trace,
        (entry) => entry.kind === 'from-harness' || entry.kind === 'server',
        14,
      );
      return {
        'server/discover answered': {
          value: discovers ? methods.join(', ') : 'not asked: initialize',
          evidence,
        },
        'same turn, after subscriptions/listen': {
          value: methods.includes('subscriptions/listen') ? (same ? 'yes' : 'no') : 'not used',
          evidence,
        },
      };
    },
  );
}
