// `leo device`: apps on other machines (a phone, say), each with a token of its own.

import type { Command } from 'commander';
import { addDeviceAddCommand } from '../device/add.js';
import { addDeviceListCommand } from '../device/list.js';
import { addDeviceRemoveCommand } from '../device/remove.js';
import { addDeviceRotateCommand } from '../device/rotate.js';

export function addDeviceCommand(program: Command): void {
  const device = program.command('device').description('give apps on devices a token to offer tools with');
  addDeviceAddCommand(device);
  addDeviceListCommand(device);
  addDeviceRemoveCommand(device);
  addDeviceRotateCommand(device);
}
