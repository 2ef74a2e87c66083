// Ten real sessions at once: each call goes to the app from the right agent, and each answer to the right harness.

import t from 'tap';
import { type HarnessName, harnessNames } from '../../lib/setup/index.js';
import { startDaemon } from '../support/daemon.js';
import { startApp } from '../support/demo-app.js';
import { agentName } from './support/harness-suite.js';
import {
  callTool,
  lastAnswer,
  type Mode,
  notInstalled,
  offered,
  realHarness,
  whenOffered,
} from './support/real-harness.js';

t.setTimeout(300_000);
/** Requests of ten harnesses that start at once on two cores come late. */
const firstLimitMs = 200_000;

const present = harnessNames.filter((harness) => notInstalled(harness) === false);
/** All that there are, and over again, until there are ten. */
const ten: readonly HarnessName[] = Array.from(
  { length: 10 },
  (_, at) => present[at % present.length],
).filter((harness) => harness !== undefined);

t.test(
  'ten sessions of all harnesses at once',
  { skip: ten.length === 0 && 'no harness is installed' },
  async (t) => {
    const daemon = await startDaemon(t);
    const seen: string[] = [];
    await startApp(t, daemon.socket, 'echo', [
      {
        name: 'echo_back',
        inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
        handler: ({ agent, arguments: { word } }) => {
          seen.push(`${agent} ${String(word)}`);
          return `${agent} said ${String(word)}`;
        },
      },
    ]);
    const words = await Promise.all(
      ten.map(async (harness) => {
        const agent = agentName();
        const { conversation, once } = await realHarness(t, harness, { daemon, agent });
        const process = once('Say your words.');
        let turn = await conversation.next(firstLimitMs);
        const mode: Mode = offered(turn, 'leo_app_call') === undefined ? 'native' : 'fallback';
        turn = await whenOffered(turn, mode, 'echo_back');
        const own: string[] = [];
        for (let call = 0; call < 3; call += 1) {
          const word = `${agent}-word-${call}`;
          own.push(`${agent} ${word}`);
          turn = await callTool(turn, mode, 'echo_back', { word });
          t.match(lastAnswer(turn), `${agent} said ${word}`, harness);
        }
        turn.say('Done.');
        await process.ended;
        return own;
      }),
    );
    t.strictSame([...seen].sort(), words.flat().sort());
  },
);
