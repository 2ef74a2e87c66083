// Section 7: what becomes of the server's process when its harness ends, is told to end, or is killed. The server
// outlives every sign, so that what the harness does next can be seen.

import { evidenceOf, type Figure, type Figures } from '../../figure.js';
import { type Run, withRun } from '../../run.js';
import { slowTool } from '../../server/probe-tools.js';
import type { TraceEntry } from '../../trace.js';
import { allOver } from '../all-over.js';
import type { Subject } from '../subject.js';
import { startSlowCall } from './slow-call.js';

export async function measureProcessEnd(subject: Subject): Promise<Figures> {
  const [normal, terminated, killed] = await allOver([
    endOf(subject, 'normal'),
    endOf(subject, 'SIGTERM'),
    endOf(subject, 'SIGKILL'),
  ]);
  return {
    'normal exit': normal,
    'SIGTERM, call pending': terminated,
    'SIGKILL, call pending': killed,
  };
}

async function endOf(subject: Subject, how: 'normal' | 'SIGTERM' | 'SIGKILL'): Promise<Figure> {
  const { lingerMs, signMs, requestMs } = subject.patience;
  return withRun(
    { ...subject, lingerMs, content: { tools: () => [slowTool.listed], call: () => 'never' } },
    async (run) => {
      const harness = run.once('Call the slow tool.');
      const first = await run.conversation.next();
      if (how === 'normal') {
        first.say('Nothing to do.');
      } else {
        await startSlowCall(run, first, requestMs);
        harness.signal(how);
      }
      const asked = run.trace.now();
      const signed = await run.trace.until((entries) => entries.some(isSign), signMs);
      if (signed) await run.trace.until((entries) => entries.some(isOver), lingerMs + 3000);
      return {
        value: endCell(run, asked, signed ? undefined : signMs, lingerMs),
        evidence: evidenceOf(
          run.trace,
          (entry) =>
            (entry.kind === 'server' && !entry.what.startsWith('started')) ||
            (entry.kind === 'harness' && entry.at > 0),
          12,
        ),
      };
    },
  );
}

function isSign(entry: TraceEntry): boolean {
  return entry.kind === 'server' && !entry.what.startsWith('started');
}

function isOver(entry: TraceEntry): boolean {
  return entry.kind === 'server' && (entry.what === 'killed' || entry.what === 'ended by itself');
}

/**
 * The signs in their order, with the seconds since the first.
 *
 * @param inVain how many milliseconds a sign was waited for, where none came.
 */
function endCell(run: Run, asked: number, inVain: number | undefined, lingerMs: number): string {
  const harnessEnd = run.trace.entries.find(
    (entry) => entry.kind === 'harness' && entry.what.startsWith('ended'),
  );
  if (inVain !== undefined) {
    return `server untouched after ${inVain / 1000} s; the harness ${harnessEnd === undefined ? 'still runs' : 'ended'}`;
  }
  const signs = run.trace.entries.filter((entry) => isSign(entry) && entry.at >= asked - 1000);
  const first = signs[0]?.at ?? 0;
  const words = signs.map((entry) => {
    const what = entry.kind === 'server' ? signName(entry.what, lingerMs) : '';
    const after = (entry.at - first) / 1000;
    return after < 0.005 ? what : `+${after.toFixed(2)} s ${what}`;
  });
  return words.join(', ');
}

function signName(what: string, lingerMs: number): string {
  if (what === 'ended by itself') return `lived its full ${lingerMs / 1000} s`;
  if (what === 'stdin-end') return 'EOF';
  return what === 'orphaned' ? 'orphan' : what;
}
