// Metrics as text (the Prometheus exposition format, 0.0.4). Pure.

import type { Histogram } from './histogram.js';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

interface Named {
  readonly name: string;
  /** One line. */
  readonly help: string;
}
export type Family = Named &
  (
    | {
        readonly type: 'counter' | 'gauge';
        readonly samples: readonly { readonly labels?: Labels; readonly value: number }[];
      }
    | { readonly type: 'histogram'; readonly histogram: Histogram }
  );

/** The text of metrics, each family with its help and its type. */
export function exposition(families: readonly Family[]): string {
  return families
    .flatMap((family) => [
      `# HELP ${family.name} ${family.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${family.name} ${family.type}`,
      ...(family.type === 'histogram'
        ? histogramLines(family.name, family.histogram)
        : family.samples.map(({ labels = {}, value }) => line(family.name, labels, value))),
    ])
    .map((text) => `${text}\n`)
    .join('');
}

function histogramLines(name: string, { bounds, cumulative, count, sum }: Histogram): readonly string[] {
  return [
    ...bounds.map((bound, at) => line(`${name}_bucket`, { le: String(bound) }, cumulative[at] ?? 0)),
    line(`${name}_bucket`, { le: '+Inf' }, count),
    line(`${name}_sum`, {}, sum),
    line(`${name}_count`, {}, count),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
