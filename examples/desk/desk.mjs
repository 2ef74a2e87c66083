// A desk: what an agent cannot do by itself, and the person at this terminal can.
//
//   node examples/desk/desk.mjs
//   leo call read_note
//   leo call roll_dice --args '{"dice": 2}'
//   leo call show_dice --args '{"eyes": 5}'        (an image)
//   leo call count_down --args '{"from": 3}'       (shows its progress)
//   leo call ask_person --args '{"question": "Ship it?"}'   (waits for you, as long as it takes)
//
// The text after the command is the note that read_note reads.

import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, image, ToolError } from 'leo/app';
import { drawDie } from './die.mjs';

const note = process.argv.slice(2).join(' ') || 'Buy milk. The plan is in the second drawer.';
const whole = (minimum, maximum) => ({ type: 'integer', minimum, maximum });

const app = await connect({
  wait: true,
  onEvent: (event) => {
    if (event.type === 'reconnecting') console.log(`waiting for the daemon (${event.reason.message})`);
    if (event.type === 'offered') console.log(`on the desk: ${event.tools.join(', ')}`);
    if (event.type === 'call_started') console.log(`${event.agent} uses ${event.tool}`);
  },
});

await app.offer('desk', [
  {
    name: 'read_note',
    description: 'Reads the note that lies on the desk.',
    handler: () => note,
  },
  {
    name: 'roll_dice',
    description: 'Rolls dice and tells their eyes. Real chance, which a language model has not.',
    inputSchema: { type: 'object', properties: { dice: whole(1, 20) } },
    handler: ({ arguments: { dice = 1 } }) => {
      const eyes = Array.from({ length: dice }, () => randomInt(1, 7));
      return `${eyes.join(' + ')} = ${eyes.reduce((sum, one) => sum + one)}`;
    },
  },
  {
    name: 'show_dice',
    description: 'Shows a picture of one side of a die.',
    inputSchema: { type: 'object', properties: { eyes: whole(1, 6) }, required: ['eyes'] },
    handler: ({ arguments: { eyes } }) => image(drawDie(eyes)),
  },
  {
    name: 'count_down',
    description: 'Counts down to zero, one number a second, and shows how far it is.',
    inputSchema: { type: 'object', properties: { from: whole(1, 60) }, required: ['from'] },
    handler: async ({ arguments: { from }, progress, signal }) => {
      for (let left = from; left > 0; left--) {
        progress(from - left, from, `${left}…`);
        await sleep(1000, undefined, { signal });
      }
      return 'zero';
    },
  },
  {
    name: 'ask_person',
    description: 'Asks the person at the desk a question and gives their answer. May take hours.',
    inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
    timeoutS: 0,
    handler: async ({ agent, arguments: { question }, signal }) => {
      if (!process.stdin.isTTY) throw new ToolError('nobody_here', 'nobody sits at this desk');
      const terminal = createInterface({ input: process.stdin, output: process.stdout });
      try {
        return await terminal.question(`${agent} asks: ${question}\n> `, { signal });
      } finally {
        terminal.close();
      }
    },
  },
]);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
