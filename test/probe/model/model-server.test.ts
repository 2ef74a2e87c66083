import { request } from 'node:http';
import t, { type Test } from 'tap';
import type { ModelRequest } from '../../../lib/probe/model/conversation.js';
import { type ModelScript, startModel } from '../../../lib/probe/model/model-server.js';
import { until } from '../../support/wait.js';

const say: ModelScript = ({ api, prompts }) => ({ kind: 'text', text: `${api}: ${prompts.join()}` });

/** A model that is closed with its test, and a way to ask it. */
async function started(t: Test, script: ModelScript = say) {
  const model = await startModel(script);
  t.teardown(model.close);
  const ask = async (method: string, path: string, body?: string) => {
    const answer = await fetch(`http://127.0.0.1:${model.port}${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    };
  };
  return { model, ask };
}

const bodies: readonly [path: string, whole: object, streamed: object | string, heard: RegExp][] = [
  ['/v1/messages', { messages: [{ role: 'user', content: 'Go.' }] }, { stream: true }, /anthropic: Go\./],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Go.' }] }, { stream: true }, /chat: Go\./],
  ['/v1/responses', { input: 'Go.' }, { stream: true }, /responses: Go\./],
];
for (const [path, whole, streamed, heard] of bodies) {
  t.test(`${path} is answered whole, and streamed where that is asked for`, async (t) => {
    const { ask, model } = await started(t);
    const one = await ask('POST', path, JSON.stringify({ model: 'm', ...whole }));
    t.match(one, { status: 200, type: 'application/json', text: heard });
    t.equal(JSON.parse(one.text).model, 'm');
    const many = await ask('POST', `${path}?beta=true`, JSON.stringify({ ...whole, ...Object(streamed) }));
    t.match(many, { status: 200, type: 'text/event-stream', text: heard });
    t.equal(many.text.endsWith('data: [DONE]\n\n'), path.endsWith('completions'));
    for (const event of many.text.split('\n\n').slice(0, -1))
      t.match(event, /^(event: [a-z._]+\n)?data: (\{.*\}|\[DONE\])$/);
    t.strictSame(model.unknown, []);
  });
}

t.test('gemini is told by its path whether to stream', async (t) => {
  const { ask } = await started(t);
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] });
  const one = await ask('POST', '/v1beta/models/gemini-2.5-pro:generateContent', body);
  t.match(one, { status: 200, type: 'application/json', text: /gemini: Go\./ });
  const many = await ask('POST', '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', body);
  t.match(many, { status: 200, type: 'text/event-stream', text: /^data: \{.*gemini: Go\..*\}\n\n$/ });
});

t.test('each answer and each call has a name of its own', async (t) => {
  const tool = { name: 'x', description: undefined, schema: undefined };
  const { ask } = await started(t, () => ({ kind: 'call', tool, args: {} }));
  const made = [];
  for (let round = 0; round < 2; round += 1) {
    const { id, content } = JSON.parse((await ask('POST', '/v1/messages', '{}')).text);
    made.push(id, content[0].id);
  }
  t.equal(new Set(made).size, 4);
});

t.test('what is asked by the way is answered, and asks no script', async (t) => {
  const { ask, model } = await started(t, () => {
    throw new Error('asked');
  });
  t.match(JSON.parse((await ask('GET', '/v1/models')).text), { data: [{ id: 'scripted' }, {}, {}] });
  t.match(JSON.parse((await ask('POST', '/v1/messages/count_tokens', '{}')).text), { input_tokens: 1 });
  t.match(JSON.parse((await ask('POST', '/v1beta/models/x:countTokens', '{}')).text), { totalTokens: 1 });
  t.strictSame(model.unknown, []);
});

t.test('what no API has is answered 404 in words, and kept', async (t) => {
  const { ask, model } = await started(t);
  const rows: readonly [method: string, path: string, body: string | undefined, words: string][] = [
    ['GET', '/', undefined, 'the scripted model has no GET /'],
    ['POST', '/v1/licence?key=secret', '{}', 'the scripted model has no POST /v1/licence'],
    ['POST', '//', '{}', 'the scripted model has no POST //'],
    ['GET', '/v1/messages', undefined, 'the scripted model has no GET /v1/messages'],
    ['POST', '/v1/messages', 'not JSON', 'POST /v1/messages wants a JSON object'],
    ['POST', '/v1/responses', '[]', 'POST /v1/responses wants a JSON object'],
    ['POST', '/v1/chat/completions', '', 'POST /v1/chat/completions wants a JSON object'],
  ];
  for (const [method, path, body, message] of rows) {
    const answer = await ask(method, path, body);
    t.match(answer, { status: 404, type: 'application/json' }, `${method} ${path}`);
    t.match(JSON.parse(answer.text), { type: 'error', error: { type: 'not_found_error', message } });
  }
  t.strictSame(model.unknown, [
    'GET /',
    'POST /v1/licence',
    'POST //',
    'GET /v1/messages',
    'POST /v1/messages without a JSON object',
    'POST /v1/responses without a JSON object',
    'POST /v1/chat/completions without a JSON object',
  ]);
});

t.test('a script that throws, or whose promise does, is answered 500 with its words', async (t) => {
  const scripts: readonly ModelScript[] = [
    () => {
      throw new Error('no idea');
    },
    async () => Promise.reject(new Error('no idea')),
  ];
  for (const script of scripts) {
    const { ask } = await started(t, script);
    const answer = await ask('POST', '/v1/messages', '{"stream":true}');
    t.equal(answer.status, 500);
    t.match(JSON.parse(answer.text), { error: { type: 'api_error', message: 'no idea' } });
  }
});

t.test('close leaves nothing, not even a request that nobody answers', async (t) => {
  const asked: ModelRequest[] = [];
  const { model } = await started(t, (request) => {
    asked.push(request);
    return new Promise(() => undefined);
  });
  const options = { port: model.port, method: 'POST', path: '/v1/messages' };
  const hung = new Promise<string>((done) => {
    request(options)
      .on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
      .end('{}');
  });
  await until('the script is asked', () => asked.length === 1);
  await model.close();
  t.equal(await hung, 'ECONNRESET');
  await t.rejects(fetch(`http://127.0.0.1:${model.port}/v1/models`));
});

t.test('a harness that goes away in the middle of its request does no harm', async (t) => {
  const { ask, model } = await started(t);
  const half = request({ port: model.port, method: 'POST', path: '/v1/messages' });
  half.on('error', () => undefined);
  await new Promise((done) => half.write('{"messages":', done));
  half.destroy();
  t.equal((await ask('POST', '/v1/messages', '{}')).status, 200);
});
