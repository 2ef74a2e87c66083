// `leo device rotate NAME`: a new token; the old one counts no more, and what was opened with it ends.

import type { Command } from 'commander';
import { hasToken, newToken } from '../scoped/home.js';
import { unknownDevice } from '../scoped/unknown.js';
import { devicesOf } from './list.js';
import { type DeviceOptions, makeAndShow, urlOption } from './show-device.js';

export function addDeviceRotateCommand(device: Command): void {
  device
    .command('rotate')
    .description('give a device a new token, and print it, once; the old one and its streams end at once')
    .argument('<name>', 'the device')
    .option(...urlOption)
    .option('--json', 'print JSON')
    .action((name: string, options: DeviceOptions) =>
      makeAndShow(name, options, ({ places }) => {
        if (!hasToken(places.devices, name)) throw unknownDevice(name, devicesOf(places));
        return newToken(places.devices, name);
      }),
    );
}
