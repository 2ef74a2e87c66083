// Runs the app of a file until it is told to stop: each tool's handler runs the tool's command.

import { dirname, resolve } from 'node:path';
import { type AppEvent, type ConnectOptions, connect, type ToolOffer } from '../../app/index.js';
import type { AppFile, CommandTool } from './app-file.js';
import { commandAnswer } from './command-answer.js';
import { commandEnvironment } from './command-environment.js';
import { runCommand } from './run-command.js';

export interface RunAppOptions {
  readonly app: AppFile;
  /** The file's path: commands run relative to its folder. */
  readonly path: string;
  /** The environment that commands are given, but for what is Leo's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly target: Pick<ConnectOptions, 'url' | 'token'>;
  /** Stops the app. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: AppEvent) => void;
}

/**
 * Runs an app, and waits for a daemon that is not there yet. Ends when the signal is aborted.
 *
 * @throws {LeoAppError} when the daemon refuses the app or its tools.
 */
export async function runApp({ app, path, env, target, signal, onEvent }: RunAppOptions): Promise<void> {
  try {
    const connection = await connect({ ...target, wait: true, signal, onEvent });
    try {
      await connection.offer(
        app.group,
        app.tools.map((tool) => offerOf(tool, dirname(resolve(path)), env)),
      );
      const refusal = await connection.closed;
      if (refusal !== undefined) throw refusal;
    } finally {
      await connection.close();
    }
  } catch (error) {
    // Told to stop while something was under way.
    if (!signal.aborted) throw error;
  }
}

function offerOf(
  tool: CommandTool,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): ToolOffer {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.inputSchema === undefined ? {} : { inputSchema: tool.inputSchema }),
    ...(tool.timeoutS === undefined ? {} : { timeoutS: tool.timeoutS }),
    handler: async ({ agent, arguments: args, signal }) => {
      const end = await runCommand({
        argv: tool.argv,
        cwd: resolve(folder, tool.cwd),
        env: commandEnvironment(env, tool.env, agent, args),
        stdin: JSON.stringify(args),
        signal,
      });
      return commandAnswer(end, tool.output);
    },
  };
}
