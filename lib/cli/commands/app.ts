// `leo app run FILE.yaml`: an app without code. Each tool of the file is a command; docs/app-authors.md tells
// how one is written. It runs until Ctrl-C, over restarts of the daemon.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type AppEvent, LeoAppError } from '../../app/index.js';
import { ConfigError } from '../../config/yaml-file.js';
import { type AppFile, parseAppFile } from '../app-run/app-file.js';
import { eventJson, eventLine } from '../app-run/event-line.js';
import { runApp } from '../app-run/run-app.js';
import { CliError, misuse } from '../failure.js';
import { say } from '../output.js';

interface Options {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly json?: boolean;
}

export function addAppCommand(program: Command): void {
  program
    .command('app')
    .description('apps without code')
    .command('run')
    .description('offer the tools of a YAML file, each of them a command')
    .argument('<file.yaml>', 'the app; docs/app-authors.md tells how one is written')
    .option('--url <url>', 'the daemon to connect to, instead of the one of LEO_HOME')
    .option('--token-file <file>', 'holds the token for it')
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', '\nRuns until Ctrl-C. Try a tool of it: leo call <tool>')
    .action(async (path: string, { url, tokenFile, json }: Options) => {
      if ((url === undefined) !== (tokenFile === undefined)) {
        throw misuse('--url and --token-file go together');
      }
      const app = readAppFile(path);
      const token = tokenFile === undefined ? undefined : readText(tokenFile).trim();
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      try {
        await runApp({
          app,
          path,
          env: process.env,
          target: { ...(url === undefined ? {} : { url }), ...(token === undefined ? {} : { token }) },
          signal: stop.signal,
          onEvent: json === true ? (event) => say(eventJson(event)) : lines(),
        });
      } catch (error) {
        if (error instanceof TypeError) throw misuse(error.message);
        if (!(error instanceof LeoAppError)) throw error;
        throw new CliError(`${path}: ${error.message}`, 1, { cause: error });
      }
    });
}

/** Prints lines for people; a daemon that stays away is told of once. */
function lines(): (event: AppEvent) => void {
  let waiting = false;
  return (event) => {
    if (event.type === 'reconnecting' && waiting) return;
    waiting = event.type === 'reconnecting';
    say(eventLine(event));
  };
}

function readAppFile(path: string): AppFile {
  try {
    return parseAppFile(readText(path), path);
  } catch (error) {
    if (error instanceof ConfigError) throw misuse(error.message);
    throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw misuse(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
