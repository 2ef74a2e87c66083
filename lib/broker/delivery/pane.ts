// Reads a pane of Leo's tmux server: whose it is, and what it shows, in one command, so that both are of one moment.

import type { PaneIdentity } from '../agents/panes/pane.js';
import { type Tmux, TmuxError } from '../tmux/run-tmux.js';
import type { Screen } from './screen.js';

export interface PaneReading extends PaneIdentity {
  readonly screen: Screen;
  /** Whether somebody scrolls in it: what is typed then goes to copy mode. */
  readonly inMode: boolean;
}

/** Between the values of a line, where no value holds it. */
const separator = '|';
const values = [
  '#{pane_id}',
  '#{pane_pid}',
  '#{start_time}',
  '#{pane_in_mode}',
  '#{pane_dead}',
  '#{alternate_on}',
  '#{cursor_x}',
  '#{cursor_y}',
  '#{pane_width}',
  '#{pane_height}',
  // The last: a program's name may hold anything.
  '#{pane_current_command}',
].join(separator);

/**
 * Reads a pane.
 *
 * @throws {TmuxError} `not_found` when there is no such pane, `gone` when there is no server.
 */
export async function readPane(tmux: Tmux, paneId: string): Promise<PaneReading> {
  // All panes of the window: the one that is meant is picked by its id.
  const out = await tmux(['list-panes', '-t', paneId, '-F', values, ';', 'capture-pane', '-p', '-t', paneId]);
  const reading = readAnswer(out, paneId);
  if (reading === undefined) throw new TmuxError('not_found', `tmux has no pane ${paneId}`);
  return reading;
}

/** What tmux answered, taken apart; undefined where the pane is not in it. Pure. */
export function readAnswer(out: string, paneId: string): PaneReading | undefined {
  const lines = out.split('\n');
  const heads = lines.findIndex((line) => !/^%\d+\|/.test(line));
  const head = lines.slice(0, heads).find((line) => line.startsWith(`${paneId}${separator}`));
  if (head === undefined) return undefined;
  const [id = '', pid, start, inMode, dead, alternate, x, y, width, height, ...command] =
    head.split(separator);
  return {
    paneId: id,
    pid: Number(pid),
    serverStart: Number(start),
    inMode: inMode === '1',
    screen: {
      command: command.join(separator),
      dead: dead === '1',
      alternate: alternate === '1',
      cursor: { x: Number(x), y: Number(y) },
      width: Number(width),
      height: Number(height),
      rows: lines.slice(heads, heads + Number(height)),
    },
  };
}
