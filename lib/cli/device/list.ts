// `leo device list`: the devices that have a token. Never the token.

import { readdirSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Places } from '../../config/paths.js';
import { scopedNameFault } from '../../config/scoped-name.js';
import { daemonAddress } from '../daemon-client.js';
import { lineWidth, say, sayJson } from '../output.js';
import { orFailure, tokenPath } from '../scoped/home.js';
import { duration, table } from '../table.js';

export function addDeviceListCommand(device: Command): void {
  device
    .command('list')
    .description('list the devices')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { places } = daemonAddress(process.env);
      const devices = await orFailure(() =>
        devicesOf(places).map((name) => {
          const path = tokenPath(places.devices, name);
          return { name, added_at: statSync(path).mtime.toISOString(), token_file: path };
        }),
      );
      if (json) return sayJson({ devices });
      if (devices.length === 0) return say('There is no device. Add one: leo device add NAME');
      const rows = devices.map(({ name, added_at }) => [
        name,
        `${duration((Date.now() - Date.parse(added_at)) / 1000)} ago`,
      ]);
      say(table(['DEVICE', 'ADDED'], rows, lineWidth()));
    });
}

/** The names of the devices, sorted. */
export function devicesOf(places: Places): readonly string[] {
  if (statSync(places.devices, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(places.devices)
    .filter((file) => file.endsWith('.token'))
    .map((file) => file.slice(0, -'.token'.length))
    .filter((name) => scopedNameFault('device', name) === undefined)
    .sort();
}
