// `leo service`: the daemon as a service of systemd or launchd.

import type { Command } from 'commander';
import { addInstallCommand } from '../service/install.js';
import { addLogsCommand } from '../service/logs.js';
import { addRestartCommand, addStartCommand, addStopCommand } from '../service/power.js';
import { addStatusCommand } from '../service/status.js';
import { addUninstallCommand } from '../service/uninstall.js';

export function addServiceCommand(program: Command): void {
  const service = program
    .command('service')
    .description('have systemd or launchd run the daemon, from login on');
  addInstallCommand(service);
  addUninstallCommand(service);
  addStartCommand(service);
  addStopCommand(service);
  addRestartCommand(service);
  addStatusCommand(service);
  addLogsCommand(service);
}
