// docs/harnesses.md, made from harnesscaps.json: what every harness was measured to do, for people. Pure.

import type { HarnessCapsFile, HarnessEntry, HarnessFigure } from '../../config/harness-caps.js';

/** The sections of the table, in the order of the page, with what they are about. */
const sections: readonly { readonly name: string; readonly title: string; readonly about: string }[] = [
  { name: 'handshake', title: 'Handshake', about: 'What the harness says first, and who it says it is.' },
  {
    name: 'relisting',
    title: 'New tools',
    about:
      'Whether a tool that is announced with `notifications/tools/list_changed` reaches a conversation that runs, its next turn, one that was idle meanwhile, and one that is taken up in a new process.',
  },
  {
    name: 'limits',
    title: 'Call time limit',
    about:
      'After how long the harness gives a call up, what it says then, and whether progress every few seconds keeps it waiting. `setting`: a limit of its own configuration, tried with 20 s.',
  },
  {
    name: 'results',
    title: 'Results',
    about: 'What the model gets of an image, of a result with `isError`, and of a JSON-RPC error.',
  },
  {
    name: 'names',
    title: 'Names',
    about:
      'What the model sees of a tool’s name, the server being `leo`. Each was called by the name shown, and reached the server under its own.',
  },
  {
    name: 'schemas',
    title: 'Schemas and descriptions',
    about:
      'What the model sees of an input schema. `every tool`: what is changed in all of them; the other cells say what else is.',
  },
  {
    name: 'bad tools',
    title: 'Tools that cost the whole server',
    about:
      'What becomes of a server with one good tool and one such tool. Leo’s broker registers none of them.',
  },
  {
    name: 'process end',
    title: 'The end of the server’s process',
    about:
      'What the harness does with the server, in seconds from the first sign. The server outlives every sign for 15 s, to see what follows. EOF: its stdin is closed. killed: SIGKILL. orphan: its parent is gone.',
  },
  {
    name: 'environment',
    title: 'Environment and working directory',
    about: 'What of the harness’s environment reaches the server.',
  },
  {
    name: 'instructions',
    title: 'Instructions',
    about: 'Whether the server’s `instructions` reach the model, tried with 5,000 characters.',
  },
];

/**
 * The page.
 *
 * @param notes Markdown on where a newer measurement differs from an older one.
 */
export function harnessPage({ harnesses }: HarnessCapsFile, notes: string): string {
  return [
    '# What each harness does with an MCP server',
    '',
    'Made from harnesscaps.json by `npm run harness:page`; do not edit it here.',
    'Measure it yourself, with the harnesses on your PATH: `leo harness probe --write ~/.leo/harnesscaps.json`.',
    'Each figure is of the version and day in the first table, unless it names its own; its evidence stands in harnesscaps.json.',
    '',
    '## What works on each',
    '',
    ...table(summaryHead, harnesses.map(summaryRow)),
    '',
    ...sections.flatMap((section) => sectionOf(section, harnesses)),
    notes.trim(),
    '',
  ].join('\n');
}

const summaryHead = [
  'harness',
  'version',
  'measured',
  'app tools',
  'a call may take',
  'pictures',
  'instructions',
  'set up',
];

function summaryRow(entry: HarnessEntry): readonly string[] {
  return [
    entry.name,
    entry.version,
    entry.measured,
    entry.relists ? 'native: they come and go while it runs' : 'through `leo_app_tools` and `leo_app_call`',
    limitText(entry),
    entry.passes_images ? 'reach the model' : 'do not reach the model',
    entry.shows_instructions ? 'reach the model' : 'do not reach the model',
    `\`leo harness setup ${entry.name}\``,
  ];
}

/** How long a call may take as Leo serves it: beyond a limit that progress does not extend, it is waited for anew. */
function limitText({ call_limit_s, progress_extends, sends_progress_token }: HarnessEntry): string {
  if (call_limit_s === null) return 'any time';
  return progress_extends && sends_progress_token
    ? `any time (${call_limit_s} s, which progress extends)`
    : `any time (${call_limit_s} s, then on through \`leo_app_wait\`)`;
}

function sectionOf(
  { name, title, about }: (typeof sections)[number],
  harnesses: readonly HarnessEntry[],
): readonly string[] {
  const cells = [...new Set(harnesses.flatMap((entry) => Object.keys(entry.figures?.[name] ?? {})))];
  if (cells.length === 0) return [];
  // Harnesses are the columns where there are more cells than harnesses: a table is read from its longer side.
  const wide = cells.length > harnesses.length;
  const rows = wide
    ? cells.map((cell) => [cell, ...harnesses.map((entry) => figureText(entry.figures?.[name]?.[cell]))])
    : harnesses.map((entry) => [
        entry.name,
        ...cells.map((cell) => figureText(entry.figures?.[name]?.[cell])),
      ]);
  const head = wide ? ['', ...harnesses.map((entry) => entry.name)] : ['harness', ...cells];
  return [`## ${title}`, '', about, '', ...table(head, rows), ''];
}

function figureText(figure: HarnessFigure | undefined): string {
  if (figure === undefined) return 'not measured';
  const own = [figure.version, figure.measured].filter((text) => text !== undefined).join(', ');
  return own === '' ? figure.value : `${figure.value} (${own})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (row: readonly string[]) => `| ${row.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** A cell as Markdown shows it letter by letter. */
function cellText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll('*', '\\*')
    .replaceAll('__', '\\_\\_')
    .replace(/\s*\n\s*/g, ' / ');
}
