// `leo agent attach`: a supervised agent's screen in this terminal.

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { CliError, misuse } from '../failure.js';

export function addAttachCommand(agent: Command): void {
  agent
    .command('attach')
    .description("show an agent's screen here and type to it; Ctrl-B, then d, leaves it running")
    .argument('<name>', "the agent's name, or how it ends")
    .action(async (name: string) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw misuse('attach needs a terminal; to read what an agent shows: leo agent logs');
      const { gone, paneNow, screenOf } = await import('./screen.js');
      const { serverArgs } = await import('../../broker/tmux/run-tmux.js');
      const screen = await screenOf(name);
      const pane = await paneNow(screen);
      if (pane === undefined) throw gone(screen);
      // Inside a tmux of the user's: it is another server, and may stand in this one.
      const { TMUX: _, ...env } = process.env;
      const args = [...serverArgs(screen.server), 'attach-session', '-t', pane.sessionId];
      const child = spawn('tmux', args, { env, stdio: 'inherit' });
      const code = await new Promise<number | null>((done, fail) => {
        child.once('error', fail);
        child.once('exit', done);
      });
      if (code !== 0) throw new CliError(`tmux ended with ${code ?? 'a signal'}`);
    });
}
