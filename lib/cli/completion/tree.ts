// What can be typed after `leo`, made of the commands' own declarations, so that no completion knows a command that the
// help does not. Pure.

import type { Argument, Command, Option } from 'commander';
import { harnessNames } from '../../setup/types.js';

/** Names that are only known when they are asked for: `leo completion names KIND` prints them. */
export const nameKinds = ['tools', 'agents', 'templates', 'clients', 'devices'] as const;
export type NameKind = (typeof nameKinds)[number];

/** What can stand for an argument, or behind an option. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  /** Anything: nothing is offered. */
  | { readonly kind: 'text' };

export interface OptionNode {
  /** `-n`, `--lines`: as it is typed. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for one without a value. */
  readonly takes: Values | undefined;
}

export interface CommandNode {
  /** The words after `leo`, none for `leo` itself. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionNode[];
  /** By position. */
  readonly args: readonly Values[];
  /** Whether the last of them may come again. */
  readonly variadic: boolean;
}

const names = (of: NameKind): Values => ({ kind: 'names', of });
const words = (...list: readonly string[]): Values => ({ kind: 'words', words: list });

/** What the declarations do not say, by command and argument or option. */
export const known: Readonly<Record<string, Values>> = {
  'call tool': names('tools'),
  'call --agent': names('agents'),
  'agent spawn template': names('templates'),
  'agent stop name': names('agents'),
  'agent logs name': names('agents'),
  'agent attach name': names('agents'),
  'agent message name': names('agents'),
  'agent message --from': names('agents'),
  'client add --can-message': names('agents'),
  'client remove name': names('clients'),
  'client rotate name': names('clients'),
  'device remove name': names('devices'),
  'device rotate name': names('devices'),
  'harness setup name': words(...harnessNames, 'print'),
  'harness setup harness': words(...harnessNames),
  'harness setup --agent': names('agents'),
  'harness remove name': words(...harnessNames),
  'harness probe names': words(...harnessNames),
  'mcp-server --harness': words(...harnessNames),
};

/** Every command with its children, the whole program first. */
export function commandNodes(program: Command): readonly CommandNode[] {
  return nodesOf(program, []);
}

function nodesOf(command: Command, path: readonly string[]): readonly CommandNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const own = children.map((child) => ({ name: child.name(), description: child.description() }));
  const args = command.registeredArguments;
  const node: CommandNode = {
    path,
    commands: own,
    options: help.visibleOptions(command).map((option) => optionNode(option, path)),
    // `help` is commander's own, and takes the name of a command.
    args: args.map((argument) =>
      path.at(-1) === 'help' ? { kind: 'text' } : argumentValues(argument, path),
    ),
    variadic: args.at(-1)?.variadic ?? false,
  };
  return [
    node,
    ...children.flatMap((child) => {
      const nodes = nodesOf(child, [...path, child.name()]);
      if (child.name() !== 'help') return nodes;
      return nodes.map((one) => ({ ...one, args: [words(...own.map(({ name }) => name))] }));
    }),
  ];
}

function optionNode(option: Option, path: readonly string[]): OptionNode {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const takesValue = option.required || option.optional;
  const key = [...path, option.long ?? option.short].join(' ');
  return {
    names: flags,
    description: option.description,
    takes: takesValue ? valuesOf(key, option.argChoices, option.flags) : undefined,
  };
}

function argumentValues(argument: Argument, path: readonly string[]): Values {
  return valuesOf([...path, argument.name()].join(' '), argument.argChoices, argument.name());
}

function valuesOf(key: string, choices: readonly string[] | undefined, name: string): Values {
  if (choices !== undefined) return words(...choices);
  const said = Object.hasOwn(known, key) ? known[key] : undefined;
  if (said !== undefined) return said;
  if (/\b(?:folder|dir)\b/i.test(name)) return { kind: 'folders' };
  return /\bfile\b/i.test(name) ? { kind: 'files' } : { kind: 'text' };
}
