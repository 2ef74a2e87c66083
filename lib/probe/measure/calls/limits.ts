// Section 3: after how long a harness gives a call up, what it says then, whether progress keeps it waiting, and
// whether its own setting is honoured.

import { isJsonObject } from '../../../wire/json.js';
import { evidenceOf, type Figure, type Figures, isFromHarness } from '../../figure.js';
import { type Run, type RunOptions, withRun } from '../../run.js';
import type { CallAnswer, ToolCall } from '../../server/probe-server.js';
import { slowTool } from '../../server/probe-tools.js';
import { allOver } from '../all-over.js';
import type { Subject } from '../subject.js';
import { startSlowCall } from './slow-call.js';

interface Waited {
  /** After how many seconds the call was given up, or nothing if it was still awaited at the end. */
  readonly gaveUpS: number | undefined;
  readonly sent: string;
  readonly modelSaw: string;
  readonly evidence: string;
}

/**
 * The default limit. Nothing happens in it but waiting, so that many of these may run at once.
 *
 * @param spanS for how many seconds it is waited for.
 */
export async function measureDefaultLimit(subject: Subject, spanS: number): Promise<Figures> {
  const waited = await wait(subject, { spanS });
  const { gaveUpS, evidence } = waited;
  return {
    'default limit': { value: limitCell(gaveUpS, spanS), evidence },
    'sent on giving up': { value: waited.sent, evidence },
    'the model sees': { value: waited.modelSaw, evidence },
  };
}

/** The limit that the entry's own setting makes, without progress and with it. */
export async function measureSetLimit(subject: Subject): Promise<Figures> {
  const { setLimitS } = subject.patience;
  const spanS = spanOf(setLimitS);
  const [setting, talking] = await allOver([
    limitFigure(subject, { callLimitS: setLimitS }),
    wait(subject, { spanS, callLimitS: setLimitS, progressS: setLimitS / 4 }),
  ]);
  return {
    setting,
    'progress extends it': {
      value:
        talking.gaveUpS === undefined
          ? 'yes'
          : talking.evidence.includes('notifications/progress')
            ? 'no'
            : 'impossible, no progressToken',
      evidence: talking.evidence,
    },
  };
}

/** Whether a limit of `setLimitS` seconds is honoured, wherever it is set. */
export async function limitFigure(
  subject: Subject,
  where: Pick<RunOptions, 'callLimitS' | 'env' | 'edits'>,
): Promise<Figure> {
  const { setLimitS } = subject.patience;
  const spanS = spanOf(setLimitS);
  const { gaveUpS, evidence } = await wait(subject, { spanS, ...where });
  const honoured = gaveUpS !== undefined && gaveUpS > setLimitS * 0.85 && gaveUpS < setLimitS * 1.5;
  return {
    value: honoured ? `${setLimitS} s honoured` : `${setLimitS} s set: ${limitCell(gaveUpS, spanS)}`,
    evidence,
  };
}

/** For how long a limit that was set is waited for. */
function spanOf(setLimitS: number): number {
  return setLimitS * 2.25;
}

function limitCell(gaveUpS: number | undefined, spanS: number): string {
  return gaveUpS === undefined ? `none up to ${spanS} s` : `${gaveUpS.toFixed(1)} s`;
}

interface Waiting extends Pick<RunOptions, 'callLimitS' | 'env' | 'edits'> {
  readonly spanS: number;
  readonly progressS?: number;
}

async function wait(subject: Subject, { spanS, progressS, ...where }: Waiting): Promise<Waited> {
  const { patience } = subject;
  let answer: ((answer: CallAnswer) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const call = (toolCall: ToolCall) => {
    let sent = 0;
    if (progressS !== undefined) {
      timer = setInterval(() => {
        sent += 1;
        toolCall.connection.progress(toolCall, sent);
      }, progressS * 1000);
    }
    return new Promise<CallAnswer>((done) => {
      answer = done;
    });
  };
  return withRun(
    {
      ...subject,
      ...where,
      limitMs: spanS * 1000 + patience.runMs,
      content: { tools: () => [slowTool.listed], call },
    },
    async (run) => {
      const harness = run.once('Call the slow tool.');
      const first = await run.conversation.next();
      await startSlowCall(run, first, patience.requestMs);
      const began = run.trace.now();
      const gaveUp = await run.trace.until(
        (entries) => entries.some((entry) => isEnd(entry, began)),
        spanS * 1000,
      );
      const gaveUpS = gaveUp ? (endAt(run, began) - began) / 1000 : undefined;
      clearInterval(timer);
      if (gaveUp) await run.trace.until(() => false, patience.settleMs);
      else answer?.({ result: { content: [{ type: 'text', text: 'late' }] } });
      const last = await run.conversation.next().catch(() => undefined);
      last?.say('Done.');
      await harness.ended;
      return {
        gaveUpS,
        sent: gaveUp ? cancelsOf(run) : 'nothing',
        modelSaw: gaveUp ? (last?.request.answers.at(-1)?.text.slice(0, 200) ?? 'nothing') : 'the result',
        evidence: evidenceOf(
          run.trace,
          (entry) =>
            isFromHarness(entry, 'tools/call') ||
            isFromHarness(entry, 'notifications/cancelled') ||
            (entry.kind === 'to-harness' &&
              JSON.stringify(entry.message).includes('notifications/progress')) ||
            (entry.kind === 'model-asked' && entry.at >= began),
          8,
        ),
      };
    },
  ).finally(() => clearInterval(timer));
}

/** What ends the wait: a cancel, or the next request to the model. */
function isEnd(entry: Parameters<typeof isFromHarness>[0], since: number): boolean {
  return (
    entry.at >= since &&
    (isFromHarness(entry, 'notifications/cancelled') ||
      (entry.kind === 'model-asked' && !/, 0 tools,/.test(entry.text)))
  );
}

function endAt(run: Run, since: number): number {
  return run.trace.entries.find((entry) => isEnd(entry, since))?.at ?? since;
}

function cancelsOf(run: Run): string {
  const reasons = run.trace.entries.flatMap((entry) => {
    if (!isFromHarness(entry, 'notifications/cancelled') || entry.kind !== 'from-harness') return [];
    const params = isJsonObject(entry.message) ? entry.message.params : undefined;
    return [isJsonObject(params) ? String(params.reason ?? 'no reason') : 'no params'];
  });
  return reasons.length === 0 ? 'nothing' : `notifications/cancelled: ${reasons.join('; then ')}`;
}
