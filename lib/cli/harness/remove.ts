// `leo harness remove NAME`: takes Leo out of a harness's configuration, and puts back what was there before.

import type { Command } from 'commander';
import { harnesses, prepareRemoval, type Scope, serverName } from '../../setup/index.js';
import { say, sayJson } from '../output.js';
import { harnessNamed, orFailure, recordsPath, scopeOption, surroundings } from './place.js';
import { planJson, showPlan } from './show-plan.js';

interface Options {
  readonly scope: Scope;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addRemoveCommand(harness: Command): void {
  harness
    .command('remove')
    .description("take Leo out of a harness's configuration again")
    .argument('<name>', 'the harness')
    .addOption(scopeOption())
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print JSON')
    .action(async (name: string, options: Options) => {
      await orFailure(remove(name, options));
    });
}

async function remove(name: string, { scope, dryRun, json }: Options): Promise<void> {
  const harness = harnessNamed(name);
  const target = { harness, scope, surroundings: surroundings(), records: recordsPath() };
  const { plan, run } = await prepareRemoval(target, serverName);
  if (!json) showPlan(plan);
  if (!dryRun) await run();
  if (json) return sayJson(planJson(plan, dryRun ?? false));
  const { title } = harnesses[harness];
  if (plan.changes.length === 0) say(`${title} is not set up; nothing changed.`);
  else if (dryRun) say('Nothing was changed. Do it: the same without --dry-run');
  else say(`Leo is taken out of ${title}. Set it up again: leo harness setup ${harness}`);
}
