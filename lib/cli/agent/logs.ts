// `leo agent logs`: what an agent shows, as text.

import type { Command } from 'commander';
import { misuse } from '../failure.js';
import { say } from '../output.js';
import { printable } from '../table.js';
import type { Look } from './follow.js';
import type { Screen } from './screen.js';

/** How often a screen that is followed is looked at, in milliseconds. */
const lookEveryMs = 250;

export function addLogsCommand(agent: Command): void {
  agent
    .command('logs')
    .description('print what an agent has on its screen, and what has scrolled out of it')
    .argument('<name>', "the agent's name, or how it ends")
    .option('-n <lines>', 'only the last lines', '100')
    .option('--follow', 'go on printing what is added, until the agent ends')
    .action(async (name: string, { n, follow }: { n: string; follow?: boolean }) => {
      if (!/^\d{1,6}$/.test(n)) throw misuse(`-n ${n}: not a number of lines`);
      const [{ gone, screenOf }, { lastFilled, newLines }] = await Promise.all([
        import('./screen.js'),
        import('./follow.js'),
      ]);
      const screen = await screenOf(name);
      const first = await look(screen);
      if (first === undefined) throw gone(screen);
      const end = follow && !first.ended ? newLines(first, 0).said : lastFilled(first.lines);
      sayLines(first.lines.slice(Math.max(0, end - Number(n)), end));
      if (!follow) return;
      let said = end;
      for (let seen: Look | undefined = first; seen !== undefined && !seen.ended; ) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        seen = await look(screen);
        if (seen === undefined) return;
        const added = newLines(seen, said);
        sayLines(added.lines);
        said = added.said;
      }
    });
}

/** What stands on a screen; undefined once it is gone. */
async function look(screen: Screen): Promise<Look | undefined> {
  const [{ paneNow }, { withoutNotice }, { TmuxError }] = await Promise.all([
    import('./screen.js'),
    import('./follow.js'),
    import('../../broker/tmux/run-tmux.js'),
  ]);
  const pane = await paneNow(screen);
  if (pane === undefined) return undefined;
  try {
    // In one go, so that the place and the text are of one moment.
    const text = await screen.tmux([
      ...['display-message', '-p', '-t', pane.paneId, '#{history_size} #{cursor_y}', ';'],
      ...['capture-pane', '-p', '-t', pane.paneId, '-S', '-', '-E', '-'],
    ]);
    const [place = '', ...lines] = text.split('\n');
    const [history = 0, cursor = 0] = place.split(' ').map(Number);
    const ended = pane.dead;
    return { history, cursor, lines: ended ? withoutNotice(lines) : lines, ended };
  } catch (error) {
    if (error instanceof TmuxError && (error.fault === 'gone' || error.fault === 'not_found'))
      return undefined;
    throw error;
  }
}

function sayLines(lines: readonly string[]): void {
  if (lines.length > 0) say(...lines.map((line) => printable(line).trimEnd()));
}
