// The probe: measures harnesses one after another and reports every figure with its evidence. What one harness
// cannot do, or hangs in, is said, and the rest go on.

import type { HarnessName } from '../setup/index.js';
import type { Figures, Sections } from './figure.js';
import { versionOf } from './harnesses/version.js';
import { measureDefaultLimit, measureSetLimit } from './measure/calls/limits.js';
import { measureProcessEnd } from './measure/calls/process-end.js';
import { measureModern } from './measure/modern.js';
import { measureOneTurn } from './measure/one-turn.js';
import { measureOtherSettings } from './measure/other-settings.js';
import { measureResumed, measureSession } from './measure/several-turns.js';
import type { Subject } from './measure/subject.js';
import { measureBadTools } from './measure/tools/bad-tools.js';
import { measureServerName } from './measure/tools/server-name.js';

/** How much is measured: `quick` re-listing alone, `long` also call limits of more than three minutes. */
export type ProbeDepth = 'quick' | 'usual' | 'long';

/** One harness, as measured. */
export interface HarnessReport {
  readonly name: HarnessName;
  readonly program: string;
  /** The version that the program says it has. */
  readonly version: string;
  /** The day, YYYY-MM-DD. */
  readonly measured: string;
  readonly sections: Sections;
  /** What could not be measured, and why. */
  readonly failures: readonly { readonly what: string; readonly why: string }[];
}

export interface ProbeOptions {
  readonly depth: ProbeDepth;
  /** Today, YYYY-MM-DD. */
  readonly day: string;
  /** Told what is being measured, for a progress line. */
  readonly onStep: (harness: HarnessName, step: string) => void;
}

/** A part of a measurement that fills sections. */
interface Step {
  readonly what: string;
  readonly measure: () => Promise<Sections>;
}

/**
 * Measures harnesses, in the order given. Waiting for default limits goes on while others are measured.
 *
 * @param onReport given each report when it is whole.
 */
export async function probe(
  subjects: readonly Subject[],
  options: ProbeOptions,
  onReport: (report: HarnessReport) => void,
): Promise<readonly HarnessReport[]> {
  const reports: Promise<HarnessReport>[] = [];
  for (const subject of subjects) {
    const measured = await measure(subject, options);
    const report = measured.whole();
    reports.push(
      report.then((done) => {
        onReport(done);
        return done;
      }),
    );
  }
  return Promise.all(reports);
}

async function measure(
  subject: Subject,
  { depth, day, onStep }: ProbeOptions,
): Promise<{ whole: () => Promise<HarnessReport> }> {
  const failures: { what: string; why: string }[] = [];
  const attempt = async <T>(what: string, run: () => Promise<T>): Promise<T | undefined> => {
    if (subject.signal?.aborted) {
      failures.push({ what, why: 'stopped' });
      return undefined;
    }
    onStep(subject.harness, what);
    try {
      return await run();
    } catch (error) {
      failures.push({ what, why: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  };
  const version = await attempt('version', () => versionOf(subject));
  const parts: Sections[] = [];
  let waiting: Promise<Sections | undefined> = Promise.resolve(undefined);
  // What does not even say its version does not run.
  if (version !== undefined) {
    if (depth !== 'quick') {
      const spanS = subject.patience.defaultLimitS[depth];
      waiting = attempt(`call limit, ${spanS} s`, async () => ({
        limits: await measureDefaultLimit(subject, spanS),
      }));
    }
    for (const { what, measure: run } of stepsOf(subject, depth))
      parts.push((await attempt(what, run)) ?? {});
  }
  return {
    whole: async () => ({
      name: subject.harness,
      program: subject.program,
      version: version ?? 'unknown',
      measured: day,
      sections: [...parts, (await waiting) ?? {}].reduce(merged, {}),
      failures,
    }),
  };
}

function stepsOf(subject: Subject, depth: ProbeDepth): readonly Step[] {
  const relisting = section('re-listing', 'relisting', () => measureSession(subject));
  if (depth === 'quick') return [relisting];
  return [
    { what: 'one turn', measure: () => measureOneTurn(subject) },
    relisting,
    section('a session taken up again', 'relisting', () => measureResumed(subject)),
    section('the 2026-07-28 wire', 'handshake', () => measureModern(subject)),
    section('server names', 'names', () => measureServerName(subject)),
    section('bad tools', 'bad tools', () => measureBadTools(subject)),
    section('ends', 'process end', () => measureProcessEnd(subject)),
    section('limits that are set', 'limits', () => measureSetLimit(subject)),
    { what: 'other settings', measure: () => measureOtherSettings(subject) },
  ];
}

function section(what: string, name: string, measureSection: () => Promise<Figures>): Step {
  return { what, measure: async () => ({ [name]: await measureSection() }) };
}

function merged(left: Sections, right: Sections): Sections {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(names.map((name) => [name, { ...left[name], ...right[name] }]));
}
