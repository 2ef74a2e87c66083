// A scoped client's or a device's token, put where the daemon looks for it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '../../lib/config/token-file.js';

/** Makes the token of a name in a folder of state/; the daemon knows it from its next reload on. */
export function scopedToken(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return makeToken(join(folder, `${name}.token`));
}
