// `leo agent message`: types a text into the prompt of an agent.

import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { isObject } from '../../wire/json.js';
import { messageWithinMs } from '../../wire/link.js';
import { daemonAddress, demand } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { say, sayJson } from '../output.js';

interface Options {
  readonly from?: string;
  readonly json?: boolean;
}

/** The daemon may take its whole time, and then says why. */
const withinMs = messageWithinMs + 2000;

export function addMessageCommand(agent: Command): void {
  agent
    .command('message')
    .description('type a message into the prompt of an agent, and submit it')
    .argument('<name>', 'its name, or an end of it that no other has')
    .argument('[text]', 'the text; - or none reads it from stdin, without the newline at its end')
    .option('--from <name>', 'the sender that the agent is shown')
    .option('--json', 'print the answer as JSON')
    .action(async (name: string, given: string | undefined, { from, json }: Options) => {
      const text = given === undefined || given === '-' ? await readStdin() : given;
      if (text === '') throw misuse('the message is empty');
      const data = await demand(daemonAddress(process.env), {
        method: 'POST',
        path: `/web/agent/${encodeURIComponent(name)}/message`,
        body: { text, ...(from === undefined ? {} : { from }) },
        withinMs,
      });
      if (!isObject(data) || typeof data.agent !== 'string')
        throw new CliError(
          'the daemon has answered with something that this version of Leo does not understand',
        );
      if (json) return sayJson(data);
      say(
        data.submitted === true
          ? `${data.agent} has the message`
          : `typed into the prompt of ${data.agent}, but not seen to be taken; look: leo agent attach ${data.agent}`,
      );
    });
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY)
    throw misuse('give the text, or send it to stdin: leo agent message NAME - < FILE');
  return (await textOf(process.stdin)).replace(/\r?\n$/, '');
}
