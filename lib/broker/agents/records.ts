// What the daemon knows of its supervised agents, and keeps in state/agents.json so that a restarted daemon finds
// them again (design 4). No prompt is kept, and nothing of a template: it may hold secrets, and leo.yaml has it.

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { writePrivately } from '../../config/private-file.js';
import { type SupervisedHarness, supervisedHarnesses } from '../../config/templates.js';
import { isObject } from '../../wire/json.js';
import type { Exit } from './backoff.js';
import type { PaneIdentity } from './panes/pane.js';

/** Where an agent is in its life. Times are epoch milliseconds. */
export type AgentLife =
  /** Its pane is being made; after a crash of the daemon it may be there or not. */
  | { readonly state: 'starting' }
  | { readonly state: 'running'; readonly pane: PaneIdentity; readonly since: number }
  /** It has ended by itself, and waits: its screen is still there. */
  | {
      readonly state: 'restarting';
      readonly pane: PaneIdentity | undefined;
      readonly at: number;
      readonly detail: string;
    }
  /** It has ended by itself: its screen is still there. */
  | { readonly state: 'exited'; readonly pane: PaneIdentity | undefined; readonly detail: string }
  /** Its pane is gone, with the tmux server or alone. */
  | { readonly state: 'lost'; readonly detail: string };

export interface AgentRecord {
  readonly name: string;
  readonly template: string;
  readonly harness: SupervisedHarness;
  readonly cwd: string;
  /** When it was spawned, in epoch milliseconds. */
  readonly startedAt: number;
  /** How often it was started again. */
  readonly restarts: number;
  /** Quick failures in a row. */
  readonly failures: number;
  readonly life: AgentLife;
}

/** Where an agent's screen is, also when it has ended; undefined where none is known. */
export function paneIn(life: AgentLife | undefined): PaneIdentity | undefined {
  return life !== undefined && 'pane' in life ? life.pane : undefined;
}

/** How a process ended, in words. */
export function exitWords({ code, signal }: Exit): string {
  if (signal !== null) return `ended by signal ${signal}`;
  return code === null ? 'ended' : `ended with code ${code}`;
}

const format = 1;

/** Writes the records to a file of mode 0600. */
export function writeRecords(path: string, records: Iterable<AgentRecord>): void {
  writePrivately(path, `${JSON.stringify({ format, agents: [...records] }, null, 2)}\n`);
}

/**
 * The records in a file; none where there is no file. One that cannot be read is put aside: the daemon must start.
 *
 * @param log is told of that.
 */
export function readRecords(path: string, log: (line: string) => void): readonly AgentRecord[] {
  if (!existsSync(path)) return [];
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(value) || value.format !== format || !Array.isArray(value.agents))
      throw new Error(`it is not of format ${format}`);
    return value.agents.map((one, index) => {
      if (!isRecord(one)) throw new Error(`agents[${index}] is not one of this Leo's`);
      return one;
    });
  } catch (error) {
    renameSync(path, `${path}.broken`);
    log(
      `warning: ${path} cannot be used (${error instanceof Error ? error.message : error}) and is now ${path}.broken; agents that run are not found again`,
    );
    return [];
  }
}

function isRecord(value: unknown): value is AgentRecord {
  return (
    isObject(value) &&
    [value.name, value.template, value.cwd].every((text) => typeof text === 'string') &&
    [value.startedAt, value.restarts, value.failures].every(Number.isSafeInteger) &&
    supervisedHarnesses.some((harness) => harness === value.harness) &&
    isLife(value.life)
  );
}

function isLife(value: unknown): value is AgentLife {
  if (!isObject(value)) return false;
  switch (value.state) {
    case 'starting':
      return true;
    case 'running':
      return isPane(value.pane) && Number.isSafeInteger(value.since);
    case 'restarting':
      return Number.isSafeInteger(value.at) && isEnded(value);
    case 'exited':
      return isEnded(value);
    case 'lost':
      return typeof value.detail === 'string';
    default:
      return false;
  }
}

function isEnded({ pane, detail }: Readonly<Record<string, unknown>>): boolean {
  return (pane === undefined || isPane(pane)) && typeof detail === 'string';
}

function isPane(value: unknown): value is PaneIdentity {
  return (
    isObject(value) &&
    typeof value.paneId === 'string' &&
    [value.pid, value.serverStart].every(Number.isSafeInteger)
  );
}
