// leo.yaml as it lies on the disk.

import { readFileSync, statSync } from 'node:fs';
import { RememberedTools } from '../../broker/state/remembered-tools.js';
import type { Config } from '../../config/config.js';
import { fileStamp } from '../../config/file-stamp.js';
import type { Places } from '../../config/paths.js';
import { checkConfigFile } from '../config-file.js';
import type { ConfigFacts } from '../facts.js';

/** What is found of the home's leo.yaml, and what it says where it can be used. */
export function configOf(places: Places): {
  readonly facts: ConfigFacts;
  readonly config: Config | undefined;
} {
  const path = places.config;
  const found = look(path);
  const none = {
    path,
    exists: found !== undefined,
    mode: found === undefined ? null : found.mode & 0o777,
    stamp: fileStamp(path),
    errors: [],
    warnings: [],
    unreadable: null,
    templates: 0,
    autostart: true,
  };
  let text = '';
  if (found !== undefined) {
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { facts: { ...none, unreadable: `${path} cannot be read: ${why}` }, config: undefined };
    }
  }
  const remembered = new RememberedTools(places.rememberedTools, () => undefined);
  const matches = (pattern: string) => remembered.matches(pattern);
  const { config, errors, warnings } = checkConfigFile(text, { matches, own: true });
  const templates = Object.keys(config?.templates ?? {}).length;
  const autostart = config?.daemon.autostart ?? true;
  return { facts: { ...none, errors, warnings, templates, autostart }, config };
}

function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // Something on the way cannot be entered: the line about the home says so.
  }
}
