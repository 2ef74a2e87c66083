// How the requests of the four APIs are read: written as their documentation has them and as harnesses send them.

import t from 'tap';
import { anthropic } from '../../../lib/probe/model/anthropic.js';
import { chat } from '../../../lib/probe/model/chat.js';
import type { ModelCodec, ModelRequest } from '../../../lib/probe/model/conversation.js';
import { gemini } from '../../../lib/probe/model/gemini.js';
import { responses } from '../../../lib/probe/model/responses.js';
import type { JsonObject } from '../../../lib/wire/json.js';

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const geminiStream = '/v1beta/models/gemini-2.5-pro:streamGenerateContent';

interface Row {
  readonly what: string;
  readonly codec: ModelCodec;
  readonly path: string;
  readonly body: JsonObject;
  readonly read: Omit<ModelRequest, 'api' | 'body'>;
}

const nothing = { streamed: false, system: '', tools: [], prompts: [], answers: [], images: 0 };

const rows: readonly Row[] = [
  {
    what: 'messages with a system prompt in blocks, a tool, and an answer with an image',
    codec: anthropic,
    path: '/v1/messages',
    body: {
      model: 'claude',
      max_tokens: 1,
      stream: true,
      system: [
        { type: 'text', text: 'Be good.' },
        { type: 'text', text: 'Be brief.' },
      ],
      tools: [
        { name: 'mcp__leo__x', description: 'X', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Well.' },
            { type: 'tool_use', id: 'toolu_1', name: 'mcp__leo__x', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                { type: 'text', text: 'one' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
                { type: 'text', text: 'two' },
              ],
            },
            { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: 'broke' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    },
    read: {
      streamed: true,
      system: 'Be good.\nBe brief.',
      tools: [
        { name: 'mcp__leo__x', description: 'X', schema },
        { name: 'web_search', description: undefined, schema: undefined },
      ],
      prompts: ['Go.', 'And now?'],
      answers: [
        { callId: 'toolu_1', text: 'one\ntwo', isError: false, images: 1 },
        { callId: 'toolu_2', text: 'broke', isError: true, images: 0 },
      ],
      images: 0,
    },
  },
  {
    what: 'messages in which the user shows a picture',
    codec: anthropic,
    path: '/v1/messages',
    body: {
      system: 'Be good.',
      messages: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Look.' }] }],
    },
    read: { ...nothing, system: 'Be good.', prompts: ['Look.'], images: 1 },
  },
  {
    what: 'chat completions with a tool, its answer, and its picture from the user',
    codec: chat,
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4.1',
      stream: true,
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'one' },
        {
          role: 'tool',
          tool_call_id: 'call_2',
          content: [
            { type: 'text', text: 'two' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Attached media from tool result:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'leo_x', description: 'X', parameters: schema } }],
    },
    read: {
      streamed: true,
      system: 'Be good.\nBe brief.',
      tools: [{ name: 'leo_x', description: 'X', schema }],
      prompts: ['Go.', 'Attached media from tool result:'],
      answers: [
        { callId: 'call_1', text: 'one', isError: false, images: 0 },
        { callId: 'call_2', text: 'two', isError: false, images: 1 },
      ],
      images: 1,
    },
  },
  {
    what: 'responses with a namespace, a tool beside it, and answers in both forms',
    codec: responses,
    path: '/v1/responses',
    body: {
      model: 'gpt-5',
      stream: true,
      instructions: 'Be good.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'x', namespace: 'mcp__leo', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'one' },
        {
          type: 'function_call_output',
          call_id: 'call_2',
          output: [
            { type: 'input_text', text: 'two' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
          ],
        },
      ],
      tools: [
        { type: 'function', name: 'shell', description: 'Runs', parameters: schema },
        {
          type: 'namespace',
          name: 'mcp__leo',
          description: 'Instructions of leo',
          tools: [{ type: 'function', name: 'x', description: 'X', parameters: schema }],
        },
        { type: 'web_search' },
      ],
    },
    read: {
      streamed: true,
      system: 'Be good.\nBe brief.',
      tools: [
        { name: 'shell', description: 'Runs', schema },
        { name: 'x', namespace: 'mcp__leo', description: 'X', schema },
        { name: '', description: undefined, schema: undefined },
      ],
      prompts: ['Go.'],
      answers: [
        { callId: 'call_1', text: 'one', isError: false, images: 0 },
        { callId: 'call_2', text: 'two', isError: false, images: 1 },
      ],
      images: 0,
    },
  },
  {
    what: 'responses whose input is a text',
    codec: responses,
    path: '/v1/responses',
    body: { input: 'Go.' },
    read: { ...nothing, prompts: ['Go.'] },
  },
  {
    what: 'contents with function responses: what was said, what failed, and a picture',
    codec: gemini,
    path: geminiStream,
    body: {
      systemInstruction: { role: 'user', parts: [{ text: 'Be good.' }, { text: 'Be brief.' }] },
      tools: [
        { functionDeclarations: [{ name: 'mcp_leo_x', description: 'X', parametersJsonSchema: schema }] },
        { functionDeclarations: [{ name: 'old', description: 'Old', parameters: schema }] },
      ],
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'mcp_leo_x', args: {} } }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'call_1', name: 'mcp_leo_x', response: { output: 'one' } } },
            { functionResponse: { id: 'call_2', name: 'mcp_leo_x', response: { error: 'broke' } } },
            {
              functionResponse: {
                id: 'call_3',
                name: 'mcp_leo_x',
                response: { output: 'three' },
                parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
              },
            },
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            { inlineData: { mimeType: 'audio/wav', data: 'AA==' } },
          ],
        },
      ],
    },
    read: {
      streamed: true,
      system: 'Be good.\nBe brief.',
      tools: [
        { name: 'mcp_leo_x', description: 'X', schema },
        { name: 'old', description: 'Old', schema },
      ],
      prompts: ['Go.'],
      answers: [
        { callId: 'call_1', text: 'one', isError: false, images: 0 },
        { callId: 'call_2', text: '{"error":"broke"}', isError: true, images: 0 },
        { callId: 'call_3', text: 'three', isError: false, images: 1 },
      ],
      images: 1,
    },
  },
  {
    what: 'a request for the whole of an answer',
    codec: gemini,
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: { contents: [{ parts: [{ text: 'Go.' }] }] },
    read: { ...nothing, prompts: ['Go.'] },
  },
];

for (const { what, codec, path, body, read } of rows) {
  t.test(`${codec.api}: ${what}`, async (t) => {
    t.ok(codec.owns(path), 'the path is its own');
    t.strictSame(codec.read(path, body), { api: codec.api, ...read, body });
  });
}

const codecs = [anthropic, chat, responses, gemini];

t.test('a path belongs to one API at most', async (t) => {
  const paths: readonly [path: string, api: string | undefined][] = [
    ['/v1/messages', 'anthropic'],
    ['/messages', 'anthropic'],
    ['/v1/messages/count_tokens', undefined],
    ['/v1/chat/completions', 'chat'],
    ['/chat/completions', 'chat'],
    ['/v1/completions', undefined],
    ['/v1/responses', 'responses'],
    ['/v1/responses/compact', undefined],
    [geminiStream, 'gemini'],
    ['/v1beta/models/x:countTokens', undefined],
    ['/', undefined],
  ];
  for (const [path, api] of paths) {
    t.strictSame(
      codecs.filter((codec) => codec.owns(path)).map((codec) => codec.api),
      api === undefined ? [] : [api],
      path,
    );
  }
});

t.test('of what a harness sends nothing is certain', async (t) => {
  const odd = ['x', 7, null, [], [null, 7, 'x', {}], {}];
  const keys = ['messages', 'input', 'contents', 'tools', 'system', 'instructions', 'systemInstruction'];
  for (const codec of codecs)
    for (const value of odd) {
      const body = Object.fromEntries(keys.map((key) => [key, value])) as JsonObject;
      t.doesNotThrow(() => codec.read(geminiStream, body), `${codec.api}: ${JSON.stringify(value)}`);
    }
});
