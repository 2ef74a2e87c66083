// `leo agent`: the agents that Leo starts in tmux, and those that others have started.

import type { Command } from 'commander';
import { addAttachCommand } from '../agent/attach.js';
import { addListCommand } from '../agent/list.js';
import { addLogsCommand } from '../agent/logs.js';
import { addMessageCommand } from '../agent/message.js';
import { addSpawnCommand } from '../agent/spawn.js';
import { addStopCommand } from '../agent/stop.js';

export function addAgentCommand(program: Command): void {
  const agent = program.command('agent').description('start agents in tmux, look at them, stop them');
  addSpawnCommand(agent);
  addListCommand(agent);
  addStopCommand(agent);
  addLogsCommand(agent);
  addAttachCommand(agent);
  addMessageCommand(agent);
}
