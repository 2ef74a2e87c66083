// `leo harness`: what Leo knows of coding agents' harnesses, and setting them up.

import type { Command } from 'commander';
import { addListCommand } from '../harness/list.js';
import { addProbeCommand } from '../harness/probe.js';
import { addRemoveCommand } from '../harness/remove.js';
import { addSetupCommand } from '../harness/setup.js';

export function addHarnessCommand(program: Command): void {
  const harness = program.command('harness').description('set harnesses up to use Leo, and show which are');
  addSetupCommand(harness);
  addRemoveCommand(harness);
  addListCommand(harness);
  addProbeCommand(harness);
}
