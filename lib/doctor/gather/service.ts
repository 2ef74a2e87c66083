// The service of a home, as `leo service install` has left it. No manager is asked.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Places } from '../../config/paths.js';
import { readServiceFile } from '../../config/service-file.js';
import { lingers } from '../../service/lingers.js';
import { findProgram, type Installation } from '../../setup/index.js';
import type { ServiceFacts } from '../facts.js';

/** @param programs the paths of tmux and the harnesses, as they are found here. */
export function serviceOf(
  places: Places,
  { leo: thisLeo }: Installation,
  env: NodeJS.ProcessEnv,
  programs: readonly string[],
): ServiceFacts | null {
  const file = readServiceFile(places.serviceFile);
  if (file === undefined) return null;
  const { manager, name, node, leo, path } = file;
  return {
    manager,
    name,
    gone: [node, leo].find((path) => !existsSync(path)) ?? null,
    leo,
    isThis: leo === thisLeo,
    unseen: path === undefined ? [] : programs.filter((program) => !isOn(path, program)),
    lingers: manager === 'systemd' ? lingers() : null,
    remote: Boolean(env.SSH_CONNECTION),
  };
}

/** Whether a program of this name is on a PATH, in whichever folder. */
function isOn(path: string, program: string): boolean {
  return findProgram(basename(program), path) !== undefined;
}
