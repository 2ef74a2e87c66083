// `leo device add NAME`: a device's token, shown once.

import type { Command } from 'commander';
import { CliError } from '../failure.js';
import { hasToken, newToken } from '../scoped/home.js';
import { type DeviceOptions, makeAndShow, urlOption } from './show-device.js';

export function addDeviceAddCommand(device: Command): void {
  device
    .command('add')
    .description('add a device, and print its token and a code to scan, once')
    .argument('<name>', 'its name: 1 to 63 of a-z, 0-9, _ and -, the first of them a letter')
    .option(...urlOption)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA phone reaches the daemon only if it listens beyond loopback: docs/operators.md',
    )
    .action((name: string, options: DeviceOptions) =>
      makeAndShow(name, options, ({ places }) => {
        if (hasToken(places.devices, name))
          throw new CliError(`there is a device ${name} already; for a new token: leo device rotate ${name}`);
        return newToken(places.devices, name);
      }),
    );
}
