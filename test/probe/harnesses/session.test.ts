// Sessions over the three protocols, with a harness that is an object: it says what the test says.

import t from 'tap';
import type { SessionKind } from '../../../lib/probe/harnesses/driver.js';
import type { HarnessProcess } from '../../../lib/probe/harnesses/harness-process.js';
import { openSession } from '../../../lib/probe/harnesses/session.js';

const noTime = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: messages as they were written, whose fields are looked at one by one.
type Message = any;

interface Puppet extends HarnessProcess {
  readonly written: Message[];
  say(line: string | object): void;
  end(how: string): void;
}

/** A harness that answers each message by what `answer` makes of it, line by line. */
function puppet(answer: (message: Message) => readonly (string | object)[] = () => []): Puppet {
  const listeners: ((line: string) => void)[] = [];
  const written: Message[] = [];
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((done) => {
    end = done;
  });
  const say = (line: string | object) => {
    for (const listener of listeners) listener(typeof line === 'string' ? line : JSON.stringify(line));
  };
  return {
    pid: 0,
    output: () => 'its last words',
    ended,
    spoken: ended.then(() => undefined),
    write: (text) => {
      const message = JSON.parse(text);
      written.push(message);
      queueMicrotask(() => answer(message).forEach(say));
    },
    endInput: () => undefined,
    onLine: (listener) => {
      listeners.push(listener);
    },
    signal: () => undefined,
    destroy: () => undefined,
    written,
    say,
    end,
  };
}

const methods = (harness: Puppet) => harness.written.map(({ method, type }) => method ?? type ?? 'an answer');

t.test("Claude Code's lines: a prompt is over with its result", async (t) => {
  const harness = puppet(() => ['log', { type: 'assistant' }, { type: 'result' }]);
  const session = await openSession('stream-json', harness, '/p', noTime);
  await session.prompt('Go.');
  await session.prompt('On.');
  t.strictSame(
    harness.written.map(({ message }) => message.content[0].text),
    ['Go.', 'On.'],
  );
});

t.test('the Agent Client Protocol: a session is made, prompts are answered, leave is given', async (t) => {
  const leave = {
    id: 'p1',
    method: 'session/request_permission',
    params: {
      options: [
        { optionId: 'no', kind: 'reject_once' },
        { optionId: 'always', kind: 'allow_always' },
      ],
    },
  };
  const harness = puppet(({ id, method }) => {
    if (method === 'session/new') return [{ id, result: { sessionId: 's1' } }];
    if (method === 'session/prompt')
      return [
        'no JSON',
        { method: 'session/update', params: {} },
        leave,
        { id: 99, result: {} },
        { id, result: {} },
      ];
    return method === undefined ? [] : [{ id, result: {} }];
  });
  const session = await openSession('acp', harness, '/p', noTime);
  await session.prompt('Go.');
  t.strictSame(methods(harness), ['initialize', 'session/new', 'session/prompt', 'an answer']);
  t.match(harness.written[1].params, { cwd: '/p', mcpServers: [] });
  t.match(harness.written[2].params, { sessionId: 's1', prompt: [{ type: 'text', text: 'Go.' }] });
  t.match(harness.written[3], { id: 'p1', result: { outcome: { outcome: 'selected', optionId: 'always' } } });
});

t.test("codex' app-server: a turn is over when that is told, not when it has begun", async (t) => {
  const harness = puppet(({ id, method }) => {
    if (method === 'thread/start') return [{ id, result: { thread: { id: 't1' } } }];
    return id === undefined ? [] : [{ id, result: {} }];
  });
  const session = await openSession('app-server', harness, '/p', noTime);
  let over = false;
  const turn = session.prompt('Go.').then(() => {
    over = true;
  });
  while (!methods(harness).includes('turn/start')) await new Promise(setImmediate);
  await new Promise(setImmediate);
  t.notOk(over);
  harness.say({ method: 'turn/completed', params: {} });
  await turn;
  t.strictSame(methods(harness), ['initialize', 'initialized', 'thread/start', 'turn/start']);
  t.match(harness.written[3].params, { threadId: 't1', input: [{ type: 'text', text: 'Go.' }] });
});

const kinds: readonly SessionKind[] = ['stream-json', 'acp', 'app-server'];
/** Opens a session and prompts, wherever it fails. */
const prompted = async (kind: SessionKind, harness: Puppet, limitMs = noTime) =>
  (await openSession(kind, harness, '/p', limitMs)).prompt('Go.');

for (const kind of kinds) {
  t.test(`${kind}: a harness that ends, or says nothing, ends the wait`, async (t) => {
    const harness = puppet();
    const waiting = prompted(kind, harness);
    harness.end('exit code 1');
    await t.rejects(waiting, {
      name: 'ProbeError',
      message: 'the harness ended (exit code 1): its last words',
    });
    await t.rejects(prompted(kind, puppet(), 1), { message: 'the turn was not over after 0.001 s' });
  });
}

t.test('an error that a harness answers is said', async (t) => {
  const harness = puppet(({ id }) => [{ id, error: { code: -32000, message: 'log in first' } }]);
  await t.rejects(prompted('acp', harness), {
    message: 'the harness answered {"code":-32000,"message":"log in first"}',
  });
});

t.test('a turn that nobody waits for may fail', async () => {
  const harness = puppet();
  const session = await openSession('stream-json', harness, '/p', noTime);
  void session.prompt('Go.');
  harness.end('SIGKILL');
  await new Promise(setImmediate);
});
