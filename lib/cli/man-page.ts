// The man page, leo(1), made of the same commands as the help. Pure: nothing in it depends on the day or the machine.

import type { Command } from 'commander';
import { version } from '../config/version.js';

/** The page in the language of man(7). */
export function manPage(program: Command): string {
  return `${[
    `.\\" Made from the help of the commands: npm run man`,
    `.TH LEO 1 "" "Leo ${version}" "Leo"`,
    '.SH NAME',
    'leo \\- lend the abilities of apps to coding agents, as MCP tools',
    '.SH SYNOPSIS',
    '.B leo',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(program.description()),
    text('An app offers tools to the daemon while it is connected. Every coding agent whose harness starts'),
    '.B leo mcp\\-server',
    text('is offered them, and its calls wait in the daemon until the app has answered.'),
    '.SH COMMANDS',
    ...program
      .createHelp()
      .visibleCommands(program)
      .filter((command) => command.name() !== 'help')
      .flatMap((command) => described(command, ['leo'])),
    ...endings,
  ].join('\n')}\n`;
}

const endings = [
  '.SH EXIT STATUS',
  ...list([
    ['0', 'It is done.'],
    ['1', 'It has failed; the reason, and what to do, is on stderr.'],
    ['2', 'It was misused.'],
  ]),
  '.SH ENVIRONMENT',
  ...list([
    ['LEO_HOME', 'The folder of leo.yaml and of all state, ~/.leo by default.'],
    ['LEO_AGENT', "The agent's name, where leo mcp-server is not given one."],
    ['LEO_HARNESS', 'The harness that leo mcp-server acts for, whatever the harness says of itself.'],
    ['LEO_TOKEN', 'The token for a daemon elsewhere, where leo mcp-server is given no file with one.'],
    ['LEO_LOG_LEVEL', 'The least that leo mcp-server logs: error, warn, info or debug.'],
    ['LEO_LOG_FORMAT', 'How it does: pretty or json.'],
    ['LEO_TMUX_SERVER', 'The tmux server of the agents that Leo starts, as tmux -L takes it.'],
  ]),
  '.SH FILES',
  ...list([
    ['~/.leo/leo.yaml', 'The settings; leo validate checks them.'],
    ['~/.leo/harnesscaps.json', 'What you know of your harnesses better than Leo.'],
    ['~/.leo/state', 'The socket, the tokens, and what the daemon remembers.'],
  ]),
];

function described(command: Command, before: readonly string[]): readonly string[] {
  const help = command.createHelp();
  const path = [...before, command.name()];
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  if (children.length > 0) return children.flatMap((child) => described(child, path));
  const args = help
    .visibleArguments(command)
    .map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const);
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map((option) => [option.flags, help.optionDescription(option)] as const);
  return [
    `.SS ${roff([...path, ...command.registeredArguments.map(termOf)].join(' '))}`,
    text(sentence(help.commandDescription(command))),
    ...list([...args, ...options]),
    ...afterText(command),
  ];
}

function termOf(argument: Command['registeredArguments'][number]): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** What stands below a command's help. */
function afterText(command: Command): readonly string[] {
  let whole = '';
  const outer = command.configureOutput();
  command.configureOutput({ writeOut: (part) => (whole += part) });
  command.outputHelp();
  command.configureOutput(outer);
  const after = whole.slice(command.helpInformation().length).trim();
  return after === '' ? [] : ['.PP', ...after.split('\n').filter(Boolean).map(text)];
}

function list(entries: readonly (readonly [term: string, description: string])[]): readonly string[] {
  return entries.flatMap(([term, description]) => ['.TP', `.B ${roff(term)}`, text(sentence(description))]);
}

/** A description with a capital letter in front, unless it begins with a name. */
function sentence(words: string): string {
  return words.replace(
    /^[a-z]+(?=[ ,;]|$)/,
    (first) => `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`,
  );
}

/** A line of text: nothing in it is taken for a request, and a hyphen can be copied as one. */
function text(line: string): string {
  return roff(line).replace(/^[.']/, '\\&$&');
}

function roff(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
}
