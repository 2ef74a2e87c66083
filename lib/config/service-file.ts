// `state/service.json`: that a service of launchd or systemd runs the daemon of this home. Written by `leo service
// install`, removed by `uninstall`. While it holds, the service alone starts the daemon: no gateway does (design 8).
//
// A file whose unit was removed by hand counts for nothing, so that nobody waits for a service that is gone.

import { existsSync, readFileSync } from 'node:fs';

export interface ServiceFile {
  readonly manager: 'systemd' | 'launchd';
  /** How the manager calls it: `leo.service`, or a label. */
  readonly name: string;
  /** The unit, or the property list. */
  readonly file: string;
  /** What it starts. */
  readonly node: string;
  readonly leo: string;
  /** The PATH that it starts with; one that an older Leo has installed does not say. */
  readonly path?: string;
}

/** What service.json says; undefined where no service is installed. */
export function readServiceFile(path: string): ServiceFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // There is none, or it is torn.
  }
  return isServiceFile(value) && existsSync(value.file) ? value : undefined;
}

function isServiceFile(value: unknown): value is ServiceFile {
  if (typeof value !== 'object' || value === null) return false;
  const { manager, name, file, node, leo, path } = value as Partial<Record<keyof ServiceFile, unknown>>;
  return (
    (manager === 'systemd' || manager === 'launchd') &&
    [name, file, node, leo].every((text) => typeof text === 'string') &&
    ['string', 'undefined'].includes(typeof path)
  );
}
