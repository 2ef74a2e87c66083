import t from 'tap';
import { startConversation, toolName } from '../../lib/probe/conversation.js';
import type { ModelReply, ModelRequest, OfferedTool } from '../../lib/probe/model/conversation.js';
import { startTrace } from '../../lib/probe/trace.js';

const tool: OfferedTool = { name: 'x', description: 'X', schema: {} };
const noTime = 60_000;

function request(prompt: string, tools: readonly OfferedTool[] = [tool]): ModelRequest {
  return {
    api: 'chat',
    streamed: true,
    system: '',
    tools,
    prompts: [prompt],
    answers: [],
    images: 0,
    body: {},
  };
}

function started() {
  const trace = startTrace();
  const conversation = startConversation(trace, noTime);
  /** The harness asks; gives what the model says, as soon as it says it. */
  const ask = (prompt: string, tools?: readonly OfferedTool[]): Promise<ModelReply> =>
    Promise.resolve(conversation.script(request(prompt, tools)));
  return { trace, conversation, ask };
}

t.test('a request is taken whether it came before it was waited for or after', async (t) => {
  const { conversation, ask } = started();
  const early = ask('early');
  const first = await conversation.next();
  t.strictSame(first.request.prompts, ['early']);
  first.say('one');
  t.strictSame(await early, { kind: 'text', text: 'one' });
  const waiting = conversation.next();
  const late = ask('late');
  const second = await waiting;
  t.strictSame(second.request.prompts, ['late']);
  second.say('two');
  t.strictSame(await late, { kind: 'text', text: 'two' });
});

t.test('requests that wait are taken in their order', async (t) => {
  const { conversation, ask } = started();
  for (const prompt of ['a', 'b']) void ask(prompt);
  t.strictSame((await conversation.next()).request.prompts, ['a']);
  t.strictSame((await conversation.next()).request.prompts, ['b']);
});

t.test('a call is the answer, and brings the request after it', async (t) => {
  const { conversation, ask, trace } = started();
  const asked = ask('first');
  const turn = await conversation.next();
  const next = turn.call(tool, { a: 1 });
  t.strictSame(await asked, { kind: 'call', tool, args: { a: 1 } });
  void ask('second');
  t.strictSame((await next).request.prompts, ['second']);
  t.match(trace.entries, [
    { kind: 'model-asked', text: 'chat, 1 tools, 1 prompts, 0 images' },
    { kind: 'model-said', text: 'call x {"a":1}' },
    { kind: 'model-asked' },
  ]);
});

t.test('a request without tools is answered by the way', async (t) => {
  const { conversation, ask } = started();
  const waiting = conversation.next();
  t.strictSame(await ask('a title', []), { kind: 'text', text: 'ok' });
  void ask('the prompt');
  t.strictSame((await waiting).request.prompts, ['the prompt']);
});

t.test('a wait in vain says for how long', async (t) => {
  const { conversation } = started();
  await t.rejects(conversation.next(1), { message: 'the harness asked its model nothing for 0.001 s' });
});

t.test('a failure ends the wait that is, and each later one, but not what was asked before', async (t) => {
  const { conversation, ask } = started();
  const waiting = conversation.next();
  conversation.fail(new Error('it ended'));
  conversation.fail(new Error('it ended again'));
  await t.rejects(waiting, { message: 'it ended' });
  await t.rejects(conversation.next(), { message: 'it ended' });
  void ask('its last words');
  t.strictSame((await conversation.next()).request.prompts, ['its last words']);
  await t.rejects(conversation.next(), { message: 'it ended' });
});

t.test('another process is waited for anew, and hears nothing of what the one before asked', async (t) => {
  const { conversation, ask } = started();
  void ask('the old one');
  conversation.fail(new Error('it ended'));
  conversation.restart();
  const waiting = conversation.next();
  void ask('the new one');
  t.strictSame((await waiting).request.prompts, ['the new one']);
});

t.test('the last answer stands in the trace, cut and marked', async (t) => {
  const { conversation, trace } = started();
  const answers = [{ callId: 'c', text: 'e'.repeat(1000), isError: true, images: 0 }];
  void conversation.script({ ...request('x'), answers });
  t.match(trace.entries, [
    { text: `chat, 1 tools, 1 prompts, 0 images, last answer (error) "${'e'.repeat(300)}"` },
  ]);
});

t.test('a tool is written with its namespace', async (t) => {
  t.equal(toolName(tool), 'x');
  t.equal(toolName({ ...tool, namespace: 'mcp__leo' }), 'mcp__leo + x');
});
