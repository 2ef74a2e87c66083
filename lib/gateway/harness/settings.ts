// What leo.yaml says to a gateway: harness overrides, and whether to start the daemon. Reading YAML costs more
// memory than the rest of the gateway, so the parser is loaded only for a file that holds one of the two words.

import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import type { Log } from '../log.js';

export interface GatewaySettings {
  readonly harnesses: Config['harnesses'];
  readonly autostart: boolean;
}

const defaults: GatewaySettings = { harnesses: {}, autostart: true };

/** Whether a leo.yaml could say anything to a gateway; most do not. */
export function mayConcernGateway(text: string): boolean {
  // A key of these may also be written with escapes in double quotes; nobody does, and `\` catches those who do.
  return /harnesses|autostart|\\/.test(text);
}

/**
 * Reads the settings. A file that cannot be used leaves the defaults, but never starts a daemon, which would
 * refuse the same file.
 *
 * @param file the path of leo.yaml; it need not exist.
 */
export async function readSettings(file: string, log: Log): Promise<GatewaySettings> {
  const text = readOrEmpty(file);
  if (!mayConcernGateway(text)) return defaults;
  const { ConfigError, parseConfig } = await import('../../config/config.js');
  try {
    const config = parseConfig(text, file);
    return { harnesses: config.harnesses, autostart: config.daemon.autostart };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log(`warning: ${error.message}`);
    return { ...defaults, autostart: false };
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // No file, or none that this user may read: the defaults.
  }
}
