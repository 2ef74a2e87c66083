// From figures to harnesscaps.json: what serving needs is read off the cells, and the cells are kept. Pure.

import type {
  HarnessEntry,
  HarnessFigure,
  HarnessNaming,
  HarnessOverlay,
  ServingCaps,
} from '../../config/harness-caps.js';
import type { Sections } from '../figure.js';
import type { HarnessReport } from '../probe.js';

/** As much of a cell's evidence as the table keeps; the report holds all of it. */
const evidenceLength = 280;

/**
 * A harnesscaps.json with what was measured in it: an entry that is there is replaced, another is added. What was not
 * measured stays, with its own day.
 *
 * @param file what the file holds: a whole table, an overlay, or no entry at all.
 * @param builtIn what an entry that is not in the file begins as.
 */
export function withReports<File extends HarnessOverlay>(
  file: File,
  builtIn: readonly HarnessEntry[],
  reports: readonly HarnessReport[],
): File {
  const told = new Map(file.harnesses.map((entry) => [entry.name, entry]));
  const measured = new Map(
    reports
      .filter(({ sections }) => Object.keys(sections).length > 0)
      .flatMap((report): [string, HarnessEntry][] => {
        const entry = builtIn.find(({ name }) => name === report.name);
        return entry === undefined
          ? []
          : [[report.name, entryOf({ ...entry, ...told.get(report.name) }, report)]];
      }),
  );
  const added = [...measured.values()].filter(({ name }) => !told.has(name));
  return {
    ...file,
    harnesses: [...file.harnesses.map((entry) => measured.get(entry.name) ?? entry), ...added],
  };
}

function entryOf(before: HarnessEntry, report: HarnessReport): HarnessEntry {
  return {
    ...before,
    ...servingOf(report.sections, before),
    version: report.version,
    measured: report.measured,
    figures: figuresOf(before, report),
  };
}

function figuresOf(before: HarnessEntry, report: HarnessReport): NonNullable<HarnessEntry['figures']> {
  const old = before.figures ?? {};
  const names = [...new Set([...Object.keys(old), ...Object.keys(report.sections)])];
  return Object.fromEntries(
    names.map((name) => {
      const aged = Object.entries(old[name] ?? {}).map(([cell, figure]): [string, HarnessFigure] => [
        cell,
        aging(figure, before, report),
      ]);
      const fresh = Object.entries(report.sections[name] ?? {}).map(
        ([cell, { value, evidence }]): [string, HarnessFigure] => [
          cell,
          { value, evidence: evidence.slice(0, evidenceLength) },
        ],
      );
      return [name, Object.fromEntries([...aged, ...fresh])];
    }),
  );
}

/** A figure that stays while its entry gets a new version and day: it says its own, where they differ. */
function aging(figure: HarnessFigure, before: HarnessEntry, report: HarnessReport): HarnessFigure {
  const version = figure.version ?? before.version;
  const measured = figure.measured ?? before.measured;
  return {
    value: figure.value,
    ...(version === report.version ? {} : { version }),
    ...(measured === report.measured ? {} : { measured }),
    ...(figure.evidence === undefined ? {} : { evidence: figure.evidence }),
  };
}

/** What decides how a harness is served, as far as it was measured. */
export function servingOf(sections: Sections, before: ServingCaps): ServingCaps {
  const cell = (section: string, name: string) => sections[section]?.[name]?.value;
  const yes = (section: string, name: string, fallback: boolean) => {
    const value = cell(section, name);
    return value === undefined ? fallback : value.startsWith('yes');
  };
  const combinators = ['root anyOf', 'root oneOf', 'root allOf'].map((name) => cell('schemas', name));
  const sameTurn = cell('relisting', 'same turn') ?? cell('relisting', 'same turn, in a session');
  return {
    relists: sameTurn === undefined ? before.relists : sameTurn.startsWith('yes'),
    drops_root_combinators: combinators.every((value) => value === undefined)
      ? before.drops_root_combinators
      : combinators.includes('tool dropped'),
    drops_empty_description: dropped(cell('schemas', 'empty description'), before.drops_empty_description),
    description_limit: descriptionLimit(cell('schemas', 'description of 5,000'), before.description_limit),
    call_limit_s: callLimit(cell('limits', 'default limit'), before.call_limit_s),
    progress_extends: yes('limits', 'progress extends it', before.progress_extends),
    sends_progress_token: yes('handshake', 'progressToken in tools/call', before.sends_progress_token),
    cancels_after_answers: yes('handshake', 'cancels calls that were answered', before.cancels_after_answers),
    passes_images: yes('results', 'image block', before.passes_images),
    passes_environment: yes('environment', 'LEO_AGENT of the harness arrives', before.passes_environment),
    shows_instructions: yes('instructions', 'offered to the model', before.shows_instructions),
    naming: namingOf(sections, before.naming),
  };
}

function dropped(value: string | undefined, fallback: boolean): boolean {
  return value === undefined ? fallback : value === 'tool dropped';
}

function descriptionLimit(value: string | undefined, fallback: number | null): number | null {
  if (value === undefined) return fallback;
  const cut = /cut from \d+ to (\d+)/.exec(value);
  return cut === null ? null : Number(cut[1]);
}

/** A limit that was reached; where none was, the wait says nothing of a longer one. */
function callLimit(value: string | undefined, fallback: number | null): number | null {
  const reached = value === undefined ? null : /^([\d.]+) s$/.exec(value);
  if (reached !== null) return Math.round(Number(reached[1]));
  const beyond = value === undefined ? null : /none up to (\d+) s/.exec(value);
  return beyond !== null && fallback !== null && fallback <= Number(beyond[1]) ? null : fallback;
}

function namingOf(sections: Sections, before: HarnessNaming): HarnessNaming {
  const names = sections.names ?? {};
  const whole = (name: string) => names[name]?.value.replace(' + ', '');
  const plain = whole('my_tool');
  if (plain === undefined || !plain.endsWith('my_tool')) return before;
  const lead = plain.slice(0, -'my_tool'.length);
  const replaced = Object.fromEntries(
    (
      [
        ['.', 'dot'],
        ['/', 'slash'],
        ['-', 'dash'],
      ] as const
    ).flatMap(([character, word]) => {
      const put = whole(word)?.charAt(lead.length + 'with'.length);
      return put === undefined || put === character ? [] : [[character, put]];
    }),
  );
  const cut = ['64 characters', '100 characters', '128 characters']
    .map((name) => names[name]?.value)
    .find((value) => value !== undefined && !value.startsWith('kept'));
  return {
    form: `${lead.replace('leo', '{server}')}{tool}`,
    replaced,
    limit: cut === undefined ? null : cut.replace(' + ', '').length,
  };
}
