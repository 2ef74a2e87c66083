// `leo harness setup NAME`: writes the entry that makes a harness start `leo mcp-server`. `setup print` shows it for
// any harness that Leo does not know.

import type { Command } from 'commander';
import { shellWord } from '../../config/shell-word.js';
import {
  entryText,
  entryWith,
  findProgram,
  type HarnessName,
  harnesses,
  harnessNames,
  leoEntry,
  prepareSetup,
  raisedLimit,
  type Scope,
  serverName,
  usualLimitS,
} from '../../setup/index.js';
import { agentNamePattern } from '../../wire/names.js';
import { misuse } from '../failure.js';
import { say, sayJson } from '../output.js';
import { harnessNamed, installation, orFailure, recordsPath, scopeOption, surroundings } from './place.js';
import { planJson, showPlan } from './show-plan.js';

interface Options {
  readonly agent?: string;
  readonly scope: Scope;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addSetupCommand(harness: Command): void {
  harness
    .command('setup')
    .description("put Leo into a harness's configuration, or print what to put in")
    .argument('<name>', `${harnessNames.join(', ')}; or print, for any other`)
    .argument('[harness]', 'with print: whose form is wanted')
    .option('--agent <name>', "the agent's name (else LEO_AGENT, else the working directory's name)")
    .addOption(scopeOption())
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nUndo it: leo harness remove <name>')
    .action(async (name: string, other: string | undefined, options: Options) => {
      const { agent } = options;
      if (other !== undefined && name !== 'print')
        throw misuse(`one harness at a time: leo harness setup ${name}`);
      if (agent !== undefined && !new RegExp(agentNamePattern).test(agent)) {
        throw misuse(
          `--agent ${JSON.stringify(agent)}: 1 to 64 characters, no "/" and no control characters`,
        );
      }
      if (name === 'print')
        return other === undefined ? printEntry(options) : printFor(harnessNamed(other), agent);
      await orFailure(setUp(harnessNamed(name), options));
    });
}

async function setUp(harness: HarnessName, { agent, scope, dryRun, json }: Options): Promise<void> {
  const around = surroundings();
  const raised = raisedLimit(harness, serverName, scope, around, usualLimitS);
  const entry = leoEntry(harness, installation(), agent, raised);
  const target = { harness, scope, surroundings: around, records: recordsPath() };
  const { plan, run } = await prepareSetup(target, entry);
  if (!json) showPlan(plan);
  if (!dryRun) await run();
  if (json) {
    return sayJson({ ...planJson(plan, dryRun ?? false), call_limit_s: entry.callLimitS });
  }
  const { program, title, projectNote } = harnesses[harness];
  const changed = plan.changes.length > 0;
  if (!changed) say(`${title} is set up already; nothing changed.`);
  else if (dryRun) say('Nothing was changed. Do it: the same without --dry-run');
  else
    say(
      `${title} is set up. Undo it: leo harness remove ${harness}${scope === 'user' ? '' : ' --scope project'}`,
    );
  const usual = leoEntry(harness, installation(), agent, undefined).callLimitS;
  if (changed && entry.callLimitS !== usual) say(`Its calls may take ${raised} s, as you had set.`);
  if (changed && scope === 'project') {
    say('The entry names places on this machine: a colleague needs one of their own.');
    if (projectNote !== undefined) say(projectNote);
  }
  if (findProgram(program, process.env.PATH) === undefined) {
    say(`${program} is not on your PATH yet; this will count once it is.`);
  }
}

/** What to put into the file of a harness by hand: the text alone, whatever its format. */
function printFor(harness: HarnessName, agent: string | undefined): void {
  const entry = leoEntry(harness, installation(), agent, undefined);
  say(entryText(harness, entry, surroundings()).trimEnd());
}

/** What to put into a harness that Leo does not know. */
function printEntry({ agent, json }: Options): void {
  const { name, command, args, env } = entryWith(installation(), agent, undefined);
  const block = { mcpServers: { [name]: { command, args, env } } };
  if (json) return sayJson(block);
  const variables = Object.entries(env).map(([key, value]) => `${key}=${shellWord(value)}`);
  say(
    'Most harnesses take this in their MCP configuration:',
    '',
    JSON.stringify(block, null, 2),
    '',
    'Those that ask for a command line take this:',
    '',
    [...variables, ...[command, ...args].map(shellWord)].join(' '),
    '',
    'Where the harness gives a call up after a time of its own, put --call-timeout SECONDS behind mcp-server.',
  );
}
