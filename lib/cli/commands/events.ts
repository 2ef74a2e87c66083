// `leo events`: follows the event stream, as any reader sees it: redacted, never an argument or a result. It
// outlives the daemon's restarts, and ends with Ctrl-C or when nobody reads its output any more.

import type { Command } from 'commander';
import { eventSchemas } from '../../wire/events.js';
import { isObject } from '../../wire/json.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { say } from '../output.js';
import { oneLine } from '../table.js';

export function addEventsCommand(program: Command): void {
  program
    .command('events')
    .description('follow what happens: apps, tools, agents, calls')
    .option('--json', 'print one JSON object a line')
    .action(async ({ json }: { json?: boolean }) => {
      const address = daemonAddress(process.env);
      // A daemon that is not there is said at once; one that goes away later is waited for.
      await ask(address, '/health');
      const { eventSourceAt } = await import('../event-source.js');
      const source = eventSourceAt(address.socket);
      let connected = true;
      const failure = new Promise<never>((_, reject) => {
        source.addEventListener('error', ({ code, message }) => {
          if (source.readyState === source.CLOSED) {
            reject(
              new CliError(`the daemon refuses the stream: ${message ?? code ?? 'it does not say why'}`),
            );
          } else if (connected) {
            connected = false;
            process.stderr.write(`leo: the daemon is gone; waiting for it at ${address.socket}\n`);
          }
        });
      });
      source.addEventListener('open', () => {
        connected = true;
      });
      for (const type of Object.keys(eventSchemas)) {
        source.addEventListener(type, (event) => {
          const data = parse(event.data);
          say(
            json
              ? JSON.stringify({ event: type, id: event.lastEventId, data })
              : line(type, data, new Date()),
          );
        });
      }
      await failure.finally(() => source.close());
    });
}

function parse(text: unknown): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(String(text));
  return isObject(value) ? value : {};
}

/** `12:04:05 client_tool.settled id=r_… outcome=ok`. */
function line(type: string, data: Readonly<Record<string, unknown>>, now: Date): string {
  const words = Object.entries(data)
    .filter(([key]) => key !== 'seq')
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return oneLine(`${now.toTimeString().slice(0, 8)} ${type} ${words.join(' ')}`);
}
