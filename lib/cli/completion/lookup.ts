// The three look-ups that every completion script makes, as rows of keys and values. Pure.

import type { CommandNode, Values } from './tree.js';

export interface Row {
  /** The words of a command, and for `takes` an option or the position of an argument behind them. */
  readonly key: string;
  /** Whether any ending of the key is meant. */
  readonly open?: boolean;
  readonly lines: readonly (readonly [word: string, description: string])[];
}

export interface Lookups {
  /** The commands below a command. */
  readonly commands: readonly Row[];
  readonly options: readonly Row[];
  /**
   * What an option takes, or an argument: `words a b`, `names tools`, `files`, `folders` or `text`. Rows of options
   * stand before those of arguments.
   */
  readonly takes: readonly Row[];
}

export function lookupsOf(nodes: readonly CommandNode[]): Lookups {
  const keyOf = ({ path }: CommandNode) => path.join(' ');
  return {
    commands: filled(
      nodes.map((node) => ({
        key: keyOf(node),
        lines: node.commands.map(({ name, description }) => [name, description]),
      })),
    ),
    options: filled(
      nodes.map((node) => ({
        key: keyOf(node),
        lines: node.options.flatMap(({ names, description }) =>
          names.map((name) => [name, description] as const),
        ),
      })),
    ),
    takes: [
      ...nodes.flatMap((node) =>
        node.options.flatMap(({ names, takes }) =>
          takes === undefined ? [] : names.map((name) => row([...node.path, name], takes)),
        ),
      ),
      ...nodes.flatMap((node) =>
        node.args.map((takes, index) => {
          const last = node.variadic && index === node.args.length - 1;
          return last
            ? { ...row([...node.path, ''], takes), open: true }
            : row([...node.path, `${index + 1}`], takes);
        }),
      ),
    ],
  };
}

function row(key: readonly string[], values: Values): Row {
  return { key: key.join(' '), lines: [[said(values), '']] };
}

function said(values: Values): string {
  switch (values.kind) {
    case 'words':
      return ['words', ...values.words].join(' ');
    case 'names':
      return `names ${values.of}`;
    default:
      return values.kind;
  }
}

function filled(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ lines }) => lines.length > 0);
}
