// `leo web`: the console in the browser, by a link that signs one browser in.

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { isObject } from '../../wire/json.js';
import { answerWithinMs, type DaemonAddress, daemonAddress, demand } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say, sayJson } from '../output.js';
import { openerFor } from '../web/opener.js';

interface Options {
  readonly print?: boolean;
  readonly open: boolean;
  readonly signOut?: boolean;
  readonly json?: boolean;
}

export function addWebCommand(program: Command): void {
  program
    .command('web')
    .description('open the console in the browser: agents, calls, and their questions to you')
    .option('--print', 'print the link instead, and nothing else')
    .option('--no-open', 'the same as --print')
    .option('--sign-out', 'sign every browser out instead')
    .option('--json', 'print JSON; opens nothing')
    .addHelpText(
      'after',
      '\nThe link signs in the browser that opens it first, once, within a minute: show it to nobody.',
    )
    .action(async ({ print, open, signOut, json }: Options) => {
      const address = daemonAddress(process.env);
      if (signOut) return await signEverybodyOut(address, json);
      const { url, expiresAt } = linkIn(
        await demand(address, { method: 'POST', path: '/api/v1/console/links', withinMs: answerWithinMs }),
      );
      if (json) return sayJson({ url, expires_at: expiresAt });
      if (print || !open) return say(url);
      const opener = openerFor({ platform: process.platform, env: process.env });
      if (opener !== undefined && (await opens(opener, url)))
        return say('The console is open in the browser.');
      say('Open this in a browser on this machine, within a minute:', '', url);
    });
}

async function signEverybodyOut(address: DaemonAddress, json: boolean | undefined): Promise<void> {
  const path = '/api/v1/console/sessions';
  const data = await demand(address, { method: 'DELETE', path, withinMs: answerWithinMs });
  const ended = isObject(data) && typeof data.ended === 'number' ? data.ended : 0;
  if (json) sayJson({ ended });
  else say(ended === 1 ? '1 browser is signed out.' : `${ended} browsers are signed out.`);
}

function linkIn(data: unknown): { readonly url: string; readonly expiresAt: string } {
  if (isObject(data) && typeof data.url === 'string' && typeof data.expires_at === 'string')
    return { url: data.url, expiresAt: data.expires_at };
  throw new CliError('the daemon gave no link; is it of this version? leo status');
}

/** Whether a link could be handed to the browser. */
async function opens(opener: string, url: string): Promise<boolean> {
  const child = spawn(opener, [url], { stdio: 'ignore' });
  return await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
