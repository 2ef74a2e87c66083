// `leo device remove NAME`: its token counts no more, and what it has open ends.

import type { Command } from 'commander';
import { daemonAddress } from '../daemon-client.js';
import { say, sayJson } from '../output.js';
import { settleTaken, takeUp } from '../reload-daemon.js';
import { changing, checkName, dropToken, hasToken } from '../scoped/home.js';
import { unknownDevice } from '../scoped/unknown.js';
import { devicesOf } from './list.js';

export function addDeviceRemoveCommand(device: Command): void {
  device
    .command('remove')
    .description('remove a device; its token and its streams end at once')
    .argument('<name>', 'the device')
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      checkName('device', name);
      const address = daemonAddress(process.env);
      const { places } = address;
      await changing(places, () => {
        if (!hasToken(places.devices, name)) throw unknownDevice(name, devicesOf(places));
        dropToken(places.devices, name);
      });
      const taken = await takeUp(address);
      if (json) sayJson({ name, removed: true, ...taken });
      else say(`The device ${name} is removed; its token counts no more, and its streams have ended.`);
      settleTaken(taken);
    });
}
