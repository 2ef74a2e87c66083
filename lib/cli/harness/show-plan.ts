// What a plan would do, in words for people and for machines.

import { shellWord } from '../../config/shell-word.js';
import { type Plan, unifiedDiff } from '../../setup/index.js';
import { say } from '../output.js';
import { printable } from '../table.js';

/** Prints the change of each file, and the command that makes it. */
export function showPlan({ changes, command }: Plan): void {
  for (const { path, before, after } of changes) {
    say(...unifiedDiff(path, before, after).map(printable), '');
  }
  for (const argv of command?.argv ?? []) say(`by: ${printable(argv.map(shellWord).join(' '))}`);
  if (command !== undefined) say('');
}

/** A plan as JSON shows it. */
export function planJson({ harness, scope, changes, command }: Plan, dryRun: boolean): object {
  return {
    harness,
    scope,
    dry_run: dryRun,
    changed: changes.length > 0,
    files: changes.map(({ path, before, after }) => ({
      path,
      diff: unifiedDiff(path, before, after).join('\n'),
    })),
    commands: command?.argv ?? [],
  };
}
