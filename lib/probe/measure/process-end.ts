// Section 7: what becomes of the server's process when its harness ends, is told to end, or is killed. The server
// outlives every sign, so that what the harness does next can be seen.

import { evidenceOf, type Figure, type Figures, isFromHarness } from '../figure.js';
import { type Run, withRun } from '../run.js';
import { offeredOf, slowTool } from '../server/probe-tools.js';
import type { TraceEntry } from '../trace.js';
import type { Subject } from './subject.js';

const lingerMs = 15_000;
/** How long a sign is waited for after the harness was told to end. */
const signLimitMs = 12_000;

export async function measureProcessEnd(subject: Subject): Promise<Figures> {
  const [normal, terminated, killed] = await Promise.all([
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
  return withRun(
    { ...subject, lingerMs, content: { tools: () => [slowTool.listed], call: () => 'never' } },
    async (run) => {
      const harness = run.once('Call the slow tool.');
      const first = await run.conversation.next();
      if (how === 'normal') {
        first.say('Nothing to do.');
      } else {
        const offered = offeredOf(first.request, slowTool);
        if (offered === undefined) throw new Error('the harness does not offer slow_tool');
        first.start(offered);
        await run.trace.until(
          (entries) => entries.some((entry) => isFromHarness(entry, 'tools/call')),
          30_000,
        );
        harness.signal(how);
      }
      const asked = run.trace.now();
      const signed = await run.trace.until((entries) => entries.some(isSign), signLimitMs);
      if (signed) await run.trace.until((entries) => entries.some(isOver), lingerMs + 3000);
      return {
        value: endCell(run, asked, signed),
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

/** The signs in their order, with the seconds since the first. */
function endCell(run: Run, asked: number, signed: boolean): string {
  const harnessEnd = run.trace.entries.find(
    (entry) => entry.kind === 'harness' && entry.what.startsWith('ended'),
  );
  if (!signed) {
    return `server untouched after ${signLimitMs / 1000} s; the harness ${harnessEnd === undefined ? 'still runs' : 'ended'}`;
  }
  const signs = run.trace.entries.filter((entry) => isSign(entry) && entry.at >= asked - 1000);
  const first = signs[0]?.at ?? 0;
  const words = signs.map((entry) => {
    const what = entry.kind === 'server' ? (names[entry.what] ?? entry.what) : '';
    const after = (entry.at - first) / 1000;
    return after < 0.005 ? what : `+${after.toFixed(2)} s ${what}`;
  });
  return words.join(', ');
}

const names: Readonly<Record<string, string>> = {
  'stdin-end': 'EOF',
  orphaned: 'orphan',
  'ended by itself': 'lived its full 15 s',
};
