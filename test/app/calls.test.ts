// The library against a real daemon: what agents get of what handlers do.

import t from 'tap';
import { image, type ToolCall, ToolError, text } from '../../lib/app/index.js';
import { startDaemon } from '../support/daemon.js';
import { http } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { answerOf, testApp } from '../support/test-app.js';
import { until } from '../support/wait.js';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const failed = (code: string, message: string) => ({ code: -32000, message, data: { code } });

t.test('what a handler returns or throws is what the agent gets', async (t) => {
  const daemon = await startDaemon(t);
  const { app } = await testApp(t, { socket: daemon.socket });
  const textOf = (content: string) => [{ type: 'text', text: content }];
  const jpegThatIsPng = { type: 'image', data: pixel.toString('base64'), mimeType: 'image/jpeg' };
  const rows: readonly [name: string, handler: (call: ToolCall) => unknown, expected: unknown][] = [
    ['text', (call) => `hello ${call.agent} ${call.arguments.name}`, textOf('hello tester you')],
    ['promise', async () => 'later', textOf('later')],
    ['block', () => text('one'), textOf('one')],
    [
      'blocks',
      async () => [text('a'), image(pixel)],
      [
        { type: 'text', text: 'a' },
        { type: 'image', data: pixel.toString('base64'), mimeType: 'image/png' },
      ],
    ],
    ['nothing', () => undefined, textOf('(no output)')],
    ['emptyText', () => '', textOf('(no output)')],
    ['emptyList', () => [], textOf('(no output)')],
    [
      'number',
      () => 7,
      failed('invalid_result', "the tool's handler must return a text or content blocks, not number"),
    ],
    [
      'coded',
      () => Promise.reject(new ToolError('no_paper', 'the tray is empty')),
      failed('no_paper', 'the tray is empty'),
    ],
    [
      'thrown',
      () => {
        throw new Error('it broke');
      },
      failed('app_error', 'it broke'),
    ],
    [
      'nodeError',
      () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
      failed('app_error', 'no such file'),
    ],
    [
      'string',
      () => {
        throw '';
      },
      failed('app_error', 'the tool failed and did not say why'),
    ],
    [
      'long',
      () => Promise.reject(new Error('x'.repeat(20_000))),
      failed('app_error', `${'x'.repeat(16_383)}…`),
    ],
    ['emptyBlock', () => text(''), /"code":"invalid_result"/],
    ['poison', () => jpegThatIsPng, /"code":"invalid_result"/],
    [
      'svg',
      () => ({ type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' }),
      /"code":"invalid_result"/,
    ],
    ['unknownBlock', () => ({ type: 'hologram' }), /"code":"invalid_result"/],
    ['huge', () => 'x'.repeat(10_000_000), /"code":"(invalid_result|too_large)"/],
  ];
  await app.offer(
    'rows',
    // The rows return what TypeScript would not let them, as JavaScript authors may.
    rows.map(([name, handler]) => ({
      name,
      handler: handler as () => string,
      inputSchema: { type: 'object' },
    })),
  );
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  for (const [name, , expected] of rows) {
    const id = `r_row_of_${name}`;
    agent.park(id, name, { name: 'you' });
    const answer = answerOf(await agent.response(id));
    if (expected instanceof RegExp) t.match(JSON.stringify(answer), expected, name);
    else t.same(answer, expected, name);
  }
});

t.test('an image of 5 MB passes through whole', async (t) => {
  const daemon = await startDaemon(t);
  const { app } = await testApp(t, { socket: daemon.socket });
  const bytes = Buffer.concat([pixel, Buffer.alloc(5 * 1024 * 1024 - pixel.length, 7)]);
  await app.offer('camera', [{ name: 'photo', handler: () => image(bytes) }]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_big_image', 'photo');
  const answer = answerOf(await agent.response('r_big_image'));
  t.match(answer, [{ type: 'image', mimeType: 'image/png' }]);
  t.ok(Buffer.from((answer as { data: string }[])[0]?.data ?? '', 'base64').equals(bytes));
});

t.test('a cancelled call aborts its handler, and its answer is not sent', async (t) => {
  const daemon = await startDaemon(t);
  const { app, told } = await testApp(t, { socket: daemon.socket });
  const aborted: unknown[] = [];
  await app.offer('slow', [
    {
      name: 'wait',
      handler: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason);
            resolve('too late');
          });
        }),
    },
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_cancel_me', 'wait');
  await told('call_started');
  agent.notify('call/cancel', { id: 'r_cancel_me' });
  const ended = await told('call_ended');
  t.equal(ended.code, 'cancelled');
  t.match(aborted, [{ name: 'AbortError', message: /cancelled/ }]);
});

t.test('a call that times out aborts its handler', async (t) => {
  const daemon = await startDaemon(t);
  const { app, told } = await testApp(t, { socket: daemon.socket });
  let signal: AbortSignal | undefined;
  await app.offer('slow', [
    {
      name: 'wait',
      timeoutS: 1,
      handler: (call) => {
        signal = call.signal;
        return new Promise(() => undefined);
      },
    },
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_times_out', 'wait');
  t.equal((await told('call_ended')).code, 'timeout');
  t.ok(signal?.aborted);
});

t.test('progress reaches the agent in order, the latest always', async (t) => {
  const daemon = await startDaemon(t);
  const { app } = await testApp(t, { socket: daemon.socket });
  let finish: () => void = () => undefined;
  await app.offer('slow', [
    {
      name: 'count',
      handler: async ({ progress }) => {
        for (let n = 1; n <= 500; n++) progress(n, 500, `step ${n}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        progress(501);
        return 'counted';
      },
    },
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_progress', 'count');
  const steps = () =>
    agent.messages
      .filter((message) => message.method === 'call/progress')
      .map((message) => (message.params as { progress: number }).progress);
  await until('the last step is told', () => steps().includes(500));
  finish();
  await agent.response('r_progress');
  const seen = steps().filter((n) => n <= 500);
  t.same(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  t.ok(seen.length <= 10, `${seen.length} reports for 500 steps`);
});

t.test('what the daemon refuses of an offer rejects with its code, and changes nothing', async (t) => {
  const daemon = await startDaemon(t);
  const one = await testApp(t, { socket: daemon.socket });
  const other = await testApp(t, { socket: daemon.socket });
  await one.app.offer('desk', [{ name: 'note', handler: () => 'of one' }]);
  await t.rejects(other.app.offer('table', [{ name: 'NOTE', handler: () => '' }]), { code: 'name_conflict' });
  await t.rejects(one.app.offer('desk', [{ name: 'leo_x', handler: () => '' }]), { code: 'invalid_tool' });
  await t.rejects(
    one.app.offer('desk', [{ name: 'note', inputSchema: { type: 'array' }, handler: () => '' }]),
    { name: 'LeoAppError', code: 'invalid_tool', message: /at \$/ },
  );
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_still_there', 'note');
  t.same(answerOf(await agent.response('r_still_there')), [{ type: 'text', text: 'of one' }]);
});

t.test('an offer replaces its group; an empty one, withdraw and close take it back', async (t) => {
  const daemon = await startDaemon(t);
  const { app } = await testApp(t, { socket: daemon.socket });
  const names = async () =>
    (
      (await http(daemon.socket, '/api/v1/client-tools')).body.data as {
        groups: { tools: { name: string }[] }[];
      }
    ).groups
      .flatMap((group) => group.tools.map((tool) => tool.name))
      .sort();
  const tool = (name: string) => ({ name, handler: () => name });
  await app.offer('a', [tool('one'), tool('two')]);
  await app.offer('a', [tool('two'), tool('three')]);
  await app.offer('b', [tool('four')]);
  await app.offer('c', [tool('five')]);
  t.same(await names(), ['five', 'four', 'three', 'two']);
  await app.offer('a', []);
  t.same(await names(), ['five', 'four']);
  await app.withdraw('b');
  await app.withdraw('never-offered');
  t.same(await names(), ['five']);
  await app.close();
  t.same(await names(), []);
  await t.rejects(app.offer('d', [tool('six')]), { code: 'closed' });
  t.equal(app.state, 'closed');
});

t.test('an answer that is on its way is given before the connection closes', async (t) => {
  const daemon = await startDaemon(t);
  const { app } = await testApp(t, { socket: daemon.socket });
  let closed: Promise<void> = Promise.resolve();
  await app.offer('once', [
    {
      name: 'last',
      handler: () => {
        setImmediate(() => {
          closed = app.close();
        });
        return 'goodbye';
      },
    },
  ]);
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  agent.park('r_say_goodbye', 'last');
  t.same(answerOf(await agent.response('r_say_goodbye')), [{ type: 'text', text: 'goodbye' }]);
  await until('the app closes', () => app.state === 'closed');
  await closed;
});

t.test('of two apps each does the calls of its own tools', async (t) => {
  const daemon = await startDaemon(t);
  const apps = await Promise.all([
    testApp(t, { socket: daemon.socket }),
    testApp(t, { socket: daemon.socket }),
  ]);
  const done: string[][] = [[], []];
  await Promise.all(
    apps.map(({ app }, index) =>
      app.offer(`group${index}`, [
        {
          name: `tool${index}`,
          handler: ({ id }) => {
            done[index]?.push(id);
            return id;
          },
        },
      ]),
    ),
  );
  const agent = await LinkAgent.start(t, { socket: daemon.socket });
  const ids = Array.from({ length: 40 }, (_, n) => `r_two_apps_${n}`);
  for (const [n, id] of ids.entries()) agent.park(id, `tool${n % 2}`);
  for (const id of ids) t.same(answerOf(await agent.response(id)), [{ type: 'text', text: id }]);
  t.same(
    done.map((list) => list.length),
    [20, 20],
  );
});
