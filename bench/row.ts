// One line of the bench's table, and how it is shown.

import { table } from '../lib/cli/table.js';
import { figures } from './numbers.js';

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly unit: 'ms' | 'KB' | 'MB' | 'calls/s' | '%' | 'x';
  readonly leo: number;
  /** The bare floor of the same run. */
  readonly floor?: number;
  /** The SDK's own server in the same run. */
  readonly sdk?: number;
  /** How many times the floor (of a rate, how many times less); or, with no floor, the limit is the number itself. */
  readonly limit?: { readonly of: 'ratio' | 'number'; readonly most: number };
  /** What a reader of the number should know. */
  readonly note?: string;
}

/** How many times the floor: of a rate, how many times less. Undefined where there is no floor. */
export function ratio({ unit, leo, floor }: Row): number | undefined {
  if (floor === undefined) return undefined;
  return unit === 'calls/s' ? floor / leo : leo / floor;
}

/** Whether the row keeps its limit; undefined where it has none. */
export function met(row: Row): boolean | undefined {
  if (row.limit === undefined) return undefined;
  const value = row.limit.of === 'ratio' ? ratio(row) : row.leo;
  return value !== undefined && value <= row.limit.most;
}

/** The table for people, with a last line that counts. */
export function show(rows: readonly Row[]): string {
  const number = (value: number | undefined) => (value === undefined ? '-' : figures(value));
  const cells = rows.map((row) => {
    const times = ratio(row);
    const limit =
      row.limit === undefined ? '-' : `${row.limit.most}${row.limit.of === 'ratio' ? ' x' : ` ${row.unit}`}`;
    const verdict = met(row);
    return [
      row.id,
      row.what,
      times === undefined ? '-' : `${figures(times)} x`,
      limit,
      verdict === undefined ? '-' : verdict ? 'met' : 'MISSED',
      row.unit,
      number(row.leo),
      number(row.floor),
      number(row.sdk),
    ];
  });
  const head = ['ROW', 'WHAT', 'RATIO', 'AT MOST', '', 'UNIT', 'LEO', 'BARE', 'SDK'];
  const notes = rows.flatMap((row) => (row.note === undefined ? [] : [`${row.id}: ${row.note}`]));
  const judged = rows.filter((row) => met(row) !== undefined);
  const kept = judged.filter((row) => met(row) === true).length;
  return [table(head, cells), '', ...notes, `${kept} of ${judged.length} limits met`].join('\n');
}
