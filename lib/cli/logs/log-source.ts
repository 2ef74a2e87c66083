// Where the daemon's log is: it writes to its stderr, and who started it says where that leads. Pure.

import type { DaemonFile } from '../../config/daemon-file.js';
import type { ServiceFile } from '../../config/service-file.js';

export type LogSource =
  | { readonly kind: 'journal'; readonly unit: string }
  | { readonly kind: 'file'; readonly path: string }
  /** In a terminal, or where a script has sent it: nowhere that Leo knows. */
  | { readonly kind: 'elsewhere'; readonly pid: number }
  | { readonly kind: 'none' };

export interface LogPlaces {
  /** What daemon.json says; one that was killed has left it behind, and its log is where it was. */
  readonly daemon: DaemonFile | undefined;
  readonly service: ServiceFile | undefined;
  readonly file: string;
  readonly fileExists: boolean;
}

export function logSource({ daemon, service, file, fileExists }: LogPlaces): LogSource {
  const by = daemon?.started_by ?? service?.manager;
  if (by === 'systemd') return { kind: 'journal', unit: service?.name ?? 'leo.service' };
  if (by === 'launchd' || by === 'gateway') return { kind: 'file', path: file };
  if (daemon !== undefined) return { kind: 'elsewhere', pid: daemon.pid };
  return fileExists ? { kind: 'file', path: file } : { kind: 'none' };
}

export function logOfService(service: {
  readonly manager: 'systemd' | 'launchd';
  readonly name: string;
  readonly log: string;
}): LogSource {
  return service.manager === 'systemd'
    ? { kind: 'journal', unit: service.name }
    : { kind: 'file', path: service.log };
}

/** The arguments of journalctl. */
export function journalArgs(unit: string, lines: number, follow: boolean): readonly string[] {
  return ['--user', '--unit', unit, '--no-pager', '--lines', String(lines), ...(follow ? ['--follow'] : [])];
}
