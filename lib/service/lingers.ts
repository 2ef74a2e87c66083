// Whether systemd runs the manager of this user without a login.

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

export function lingers(): boolean {
  return existsSync(join('/var/lib/systemd/linger', userInfo().username));
}
