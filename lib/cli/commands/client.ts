// `leo client`: programs that may message the agents named for them, and nothing else.

import type { Command } from 'commander';
import { addClientAddCommand } from '../client/add.js';
import { addClientListCommand } from '../client/list.js';
import { addClientRemoveCommand } from '../client/remove.js';
import { addClientRotateCommand } from '../client/rotate.js';

export function addClientCommand(program: Command): void {
  const client = program
    .command('client')
    .description('give programs outside a token to message certain agents');
  addClientAddCommand(client);
  addClientListCommand(client);
  addClientRotateCommand(client);
  addClientRemoveCommand(client);
}
