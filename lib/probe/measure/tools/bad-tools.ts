// Section 6, the last table: which tools cost a harness the tool, and which the whole server.

import { evidenceOf, type Figure, type Figures, isFromHarness } from '../../figure.js';
import { withRun } from '../../run.js';
import { badTools, myTool, offeredOf, type ProbeTool } from '../../server/probe-tools.js';
import type { Subject } from '../subject.js';

export async function measureBadTools(subject: Subject): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  for (const [cell, bad] of Object.entries(badTools)) figures[cell] = await beside(subject, bad);
  return figures;
}

async function beside(subject: Subject, bad: readonly ProbeTool[]): Promise<Figure> {
  const listed = [myTool, ...bad];
  return withRun(
    {
      ...subject,
      content: {
        tools: () => listed.map((tool) => tool.listed),
        call: () => ({ result: { content: [] } }),
      },
    },
    async (run) => {
      const harness = run.once('Say something.');
      const { request, say } = await run.conversation.next();
      say('Something.');
      await harness.ended;
      const good = offeredOf(request, myTool) !== undefined;
      const kept = bad.filter((tool) => offeredOf(request, tool) !== undefined);
      const first = bad[0] === undefined ? undefined : offeredOf(request, bad[0]);
      const which = first?.description?.endsWith('last') === true ? 'the last' : 'the first';
      return {
        value: !good
          ? 'server dropped'
          : kept.length === 0
            ? 'tool dropped'
            : bad.length > 1
              ? `one kept, ${which}`
              : 'ok',
        evidence: `offered: ${request.tools
          .map((tool) => tool.name)
          .join(' ')
          .slice(0, 300)}\n${evidenceOf(run.trace, (entry) => isFromHarness(entry, 'tools/list'), 4)}`,
      };
    },
  );
}
