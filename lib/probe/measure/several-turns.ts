// Section 2: whether a new tool reaches a conversation that goes on, an idle one, and one that is taken up again.

import { evidenceOf, type Figure, type Figures, isFromHarness } from '../figure.js';
import { drivers } from '../harnesses/drivers.js';
import { ProbeError } from '../probe-error.js';
import { withRun } from '../run.js';
import type { CallAnswer, Connection, ToolCall } from '../server/probe-server.js';
import { myTool, offeredOf, type ProbeTool, secondTool, thirdTool } from '../server/probe-tools.js';
import { announce } from './announce.js';
import type { Subject } from './subject.js';

const takeInMs = 500;
const okay = { result: { content: [{ type: 'text', text: 'fine' }] } };

/** Two tools more: one announced during a turn, one between two turns of the same session. */
export async function measureSession(subject: Subject): Promise<Figures> {
  const listed: ProbeTool[] = [myTool];
  let used: Connection | undefined;
  return withRun(
    { ...subject, content: { tools: () => listed.map((tool) => tool.listed), call: answer } },
    async (run) => {
      const { session } = await run.session();
      const firstTurn = session.prompt('Call the tool.');
      const first = await run.conversation.next();
      const offered = offeredOf(first.request, myTool);
      if (offered === undefined) throw new ProbeError('the harness does not offer my_tool in a session');
      const again = await first.call(offered);
      const sameTurn = offeredOf(again.request, secondTool) !== undefined;
      again.say('Done.');
      await firstTurn;

      const secondTurn = session.prompt('And again.');
      const second = await run.conversation.next();
      const nextTurn = offeredOf(second.request, secondTool) !== undefined;
      second.say('Done.');
      await secondTurn;

      listed.push(thirdTool);
      const announced = run.trace.now();
      used?.toolsChanged();
      const asked = await run.trace.until(
        (entries) => entries.some((entry) => entry.at >= announced && isFromHarness(entry, 'tools/list')),
        subject.patience.relistMs,
      );
      // The answer to that has to arrive and to be taken in.
      if (asked) await run.trace.until(() => false, takeInMs);
      const thirdTurn = session.prompt('Once more.');
      const third = await run.conversation.next();
      const idle = offeredOf(third.request, thirdTool) !== undefined;
      third.say('Done.');
      await thirdTurn;

      const evidence = evidenceOf(
        run.trace,
        (entry) =>
          isFromHarness(entry, 'tools/list') ||
          entry.kind === 'model-asked' ||
          (entry.kind === 'to-harness' && JSON.stringify(entry.message).includes('list_changed')),
        10,
      );
      return {
        'same turn, in a session': figure(sameTurn, evidence),
        'next turn': figure(nextTurn, evidence),
        'while idle': {
          value: idle ? `yes${asked ? '' : ', asked for at the next turn'}` : 'no',
          evidence,
        },
      };
    },
  );

  async function answer(call: ToolCall): Promise<CallAnswer> {
    used = call.connection;
    if (listed.length === 1) {
      listed.push(secondTool);
      await announce(call.connection, subject.patience.relistMs);
    }
    return okay;
  }
}

/** A session ends, the server has another tool, and the session is taken up in a new process. */
export async function measureResumed(subject: Subject): Promise<Figures> {
  if (drivers[subject.harness].resumed === undefined) {
    const evidence = 'its command line has nothing that takes up the last session';
    return { 'resumed, new process': { value: 'not measured', evidence } };
  }
  const listed: ProbeTool[] = [myTool];
  return withRun(
    { ...subject, content: { tools: () => listed.map((tool) => tool.listed), call: () => okay } },
    async (run) => {
      const before = run.once('Say something.');
      (await run.conversation.next()).say('Something.');
      await before.ended;
      listed.push(secondTool);
      const after = run.resumed('Say more.');
      const turn = await run.conversation.next();
      const fresh = offeredOf(turn.request, secondTool) !== undefined;
      const resumed = turn.request.prompts.length > 1;
      turn.say('More.');
      await after.ended;
      return {
        'resumed, new process': {
          value: `${fresh ? 'fresh list' : 'old list'}${resumed ? '' : ' (the old prompt was not sent along)'}`,
          evidence: evidenceOf(
            run.trace,
            (entry) =>
              isFromHarness(entry, 'tools/list') || entry.kind === 'model-asked' || entry.kind === 'harness',
            10,
          ),
        },
      };
    },
  );
}

function figure(yes: boolean, evidence: string): Figure {
  return { value: yes ? 'yes' : 'no', evidence };
}
