// The service of a home, as `leo service install` has left it. No manager is asked.

import { existsSync } from 'node:fs';
import type { Places } from '../../config/paths.js';
import { readServiceFile } from '../../config/service-file.js';
import { lingers } from '../../service/lingers.js';
import type { Installation } from '../../setup/index.js';
import type { ServiceFacts } from '../facts.js';

export function serviceOf(
  places: Places,
  { leo: thisLeo }: Installation,
  env: NodeJS.ProcessEnv,
): ServiceFacts | null {
  const file = readServiceFile(places.serviceFile);
  if (file === undefined) return null;
  const { manager, name, node, leo } = file;
  return {
    manager,
    name,
    gone: [node, leo].find((path) => !existsSync(path)) ?? null,
    leo,
    isThis: leo === thisLeo,
    lingers: manager === 'systemd' ? lingers() : null,
    remote: Boolean(env.SSH_CONNECTION),
  };
}
