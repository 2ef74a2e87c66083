// What has to hold with every real harness (issue: real harnesses): an app's tool is found and called, pictures and
// new tools arrive, a denied tool does not, a person's answer may outlast the harness's patience, and a harness that
// dies leaves neither an open call nor a process.

import { randomBytes } from 'node:crypto';
import t from 'tap';
import { type AppConnection, image, type ToolCall, text } from '../../../lib/app/index.js';
import type { HarnessProcess } from '../../../lib/probe/harnesses/harness-process.js';
import type { HarnessName } from '../../../lib/setup/index.js';
import { startDaemon } from '../../support/daemon.js';
import { startApp } from '../../support/demo-app.js';
import { images } from '../../support/images.js';
import { until } from '../../support/wait.js';
import { gatewaysOf, processes } from './processes.js';
import {
  callTool,
  lastAnswer,
  type Mode,
  needed,
  notInstalled,
  offered,
  realHarness,
  startTool,
  whenOffered,
} from './real-harness.js';

/** What is measured of a harness, as far as these tests need it. */
export interface Expected {
  readonly mode: Mode;
  /** Whether a picture arrives at the model as one. */
  readonly images: boolean;
  /** Whether a call that shows progress outlives the harness's limit; else it is continued by leo_app_wait. */
  readonly progressExtends: boolean;
  /** Whether it goes on after a SIGTERM with a call open, as was measured; then its gateway is told to end, too. */
  readonly outlivesSigterm?: true;
}

/** The limit that the harness is given for the test of a long handoff, and how long a person takes. */
const callLimitS = 20;
const personMs = 25_000;

export function harnessSuite(harness: HarnessName, expected: Expected): void {
  t.setTimeout(240_000);
  const { mode } = expected;
  const skip = notInstalled(harness);

  t.test(`${harness}: tools, pictures, new tools and denied ones`, { skip }, async (t) => {
    const daemon = await startDaemon(t, { config: 'deny_tools: ["secret_*"]\n' });
    const app = await startApp(
      t,
      daemon.socket,
      'camera',
      cameraTools(() => app),
    );
    const { conversation, once, agent } = await realHarness(t, harness, { daemon, agent: agentName() });
    const process = once('Use the tools.');
    let turn = await whenOffered(await conversation.next(), mode, 'take_photo');
    t.equal(offered(turn, 'secret_plan'), undefined, 'a denied tool is not offered');
    if (mode === 'native') {
      needed(turn, 'take_photo');
      t.equal(offered(turn, 'leo_app_call'), undefined, 'no fallback beside native tools');
    } else {
      t.equal(offered(turn, 'take_photo'), undefined, 'no native tool that could go stale');
      turn = await turn.call(needed(turn, 'leo_app_tools'));
      t.match(lastAnswer(turn), /take_photo/);
      t.notMatch(lastAnswer(turn), /secret_plan/);
      turn = await callTool(turn, mode, 'secret_plan');
      t.match(lastAnswer(turn), /denied/, 'nor is it callable');
    }
    t.ok(gatewaysOf(agent).length > 0, 'its gateway is found while it runs');
    turn = await callTool(turn, mode, 'who_calls', { about: 'pictures' });
    t.match(lastAnswer(turn), `${agent} asks about pictures`);
    const before = turn.request.images;
    turn = await callTool(turn, mode, 'take_photo');
    const pictures = (turn.request.answers.at(-1)?.images ?? 0) + turn.request.images - before;
    t.equal(pictures > 0, expected.images, 'a picture arrives where the harness passes pictures');
    t.match(lastAnswer(turn), /PHOTO/);
    turn = await callTool(turn, mode, 'grow');
    for (
      let look = 0;
      mode === 'native' && look < 20 && offered(turn, 'late_tool') === undefined;
      look += 1
    ) {
      turn = await callTool(turn, mode, 'who_calls', { about: 'late tools' });
    }
    turn = await callTool(turn, mode, 'late_tool');
    t.match(lastAnswer(turn), /LATE/, 'a tool that came during the turn is called in the same turn');
    turn.say('Done.');
    await process.ended;
    await until('its gateway is gone', () => gatewaysOf(agent).length === 0);
  });

  t.test(
    `${harness}: a person's answer outlasts its patience, and its death ends the call`,
    { skip },
    async (t) => {
      const daemon = await startDaemon(t);
      const asked: { call: ToolCall; answer: (text: string) => void }[] = [];
      await startApp(t, daemon.socket, 'human', [
        {
          name: 'ask_human',
          description: 'Asks a person.',
          timeoutS: 0,
          handler: (call) => new Promise<string>((answer) => asked.push({ call, answer })),
        },
      ]);
      const { conversation, once, agent } = await realHarness(t, harness, {
        daemon,
        agent: agentName(),
        callLimitS,
      });
      const process = once('Ask the person.');
      const first = await conversation.next();
      startTool(first, mode, 'ask_human');
      const question = await until('the app is asked', () => asked[0], 30_000);
      // A person takes longer than the harness waits: the one time here that is a time.
      const timer = setTimeout(() => question.answer('THE ANSWER'), personMs);
      t.teardown(() => clearTimeout(timer));
      let turn = await conversation.next();
      let waits = 0;
      while (/still waiting: /.test(lastAnswer(turn))) {
        const id = /still waiting: ([\w-]+)/.exec(lastAnswer(turn))?.[1] ?? '';
        turn = await turn.call(needed(turn, 'leo_app_wait'), { id });
        waits += 1;
      }
      t.match(lastAnswer(turn), /THE ANSWER/);
      t.equal(
        waits > 0,
        !expected.progressExtends,
        'it is told to wait on where progress does not keep it waiting',
      );
      t.equal(asked.length, 1, 'the app was asked once');

      startTool(turn, mode, 'ask_human');
      const pending = await until('the app is asked again', () => asked[1], 30_000);
      t.ok(gatewaysOf(agent).length > 0, 'its gateway is found before');
      signalButGateway(process, agent, 'SIGKILL');
      await until('the call is cancelled at the app', () => pending.call.signal.aborted);
      await until('its gateway is gone', () => gatewaysOf(agent).length === 0);
    },
  );

  t.test(`${harness}: told to end, it leaves no call and no process`, { skip }, async (t) => {
    const daemon = await startDaemon(t);
    const asked: ToolCall[] = [];
    await startApp(t, daemon.socket, 'human', [
      {
        name: 'ask_human',
        timeoutS: 0,
        handler: (call) => {
          asked.push(call);
          return new Promise<string>(() => undefined);
        },
      },
    ]);
    const { conversation, once, agent } = await realHarness(t, harness, { daemon, agent: agentName() });
    const process_ = once('Ask the person.');
    const turn = await whenOffered(await conversation.next(), mode, 'ask_human');
    startTool(turn, mode, 'ask_human');
    const pending = await until('the app is asked', () => asked[0], 30_000);
    t.ok(gatewaysOf(agent).length > 0, 'its gateway is found before');
    // Not the gateway: what becomes of it is the harness's own doing, and some kill it within 10 ms.
    if (expected.outlivesSigterm) process.kill(-process_.pid, 'SIGTERM');
    else signalButGateway(process_, agent, 'SIGTERM');
    await until('the call is cancelled at the app', () => pending.signal.aborted);
    await until('its gateway is gone', () => gatewaysOf(agent).length === 0);
  });
}

/** A name that is found among all processes of the machine. */
export function agentName(): string {
  return `agent-${randomBytes(6).toString('hex')}`;
}

function cameraTools(app: () => AppConnection) {
  const about = { type: 'object', properties: { about: { type: 'string' } } };
  return [
    {
      name: 'who_calls',
      description: 'Says who calls.',
      inputSchema: about,
      handler: (call: ToolCall) => `${call.agent} asks about ${String(call.arguments.about)}`,
    },
    {
      name: 'take_photo',
      description: 'Takes a photo.',
      handler: () => [text('PHOTO'), image(images.png)],
    },
    { name: 'secret_plan', description: 'Nobody may use this.', handler: () => 'SECRET' },
    {
      name: 'grow',
      description: 'Brings another tool.',
      handler: async () => {
        await app().offer('late', [{ name: 'late_tool', description: 'Came late.', handler: () => 'LATE' }]);
        return 'grown';
      },
    },
  ];
}

/** A signal for everything that the harness runs but the gateway, which has to notice by itself. */
function signalButGateway(harness: HarnessProcess, agent: string, signal: NodeJS.Signals): void {
  const gateways = new Set(gatewaysOf(agent).map(({ pid }) => pid));
  for (const { pid, group } of processes()) {
    if (group !== harness.pid || gateways.has(pid)) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It ended with its parent.
    }
  }
}
