// OpenAI chat completions, as opencode, kilo, Copilot CLI, Qwen Code and cline speak it.

import type { JsonObject, JsonValue } from '../../wire/json.js';
import type { ModelCodec, ModelReply, ModelRequest, ReplyIds, StreamedEvent } from './conversation.js';
import { countOf, listAt, objectAt, textAt, textOf, total } from './reading.js';

export const chat: ModelCodec = {
  api: 'chat',
  owns: (path) => /\/chat\/completions$/.test(path),
  read,
  stream,
  whole: (reply, ids, model) => ({
    ...envelope(ids, model, 'chat.completion'),
    choices: [
      { index: 0, message: { role: 'assistant', ...said(reply, ids) }, finish_reason: finish(reply) },
    ],
    usage,
  }),
  end: '[DONE]',
};

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function read(_path: string, body: JsonObject): ModelRequest {
  const messages = listAt(body.messages);
  const of = (...roles: readonly string[]) => messages.filter((entry) => roles.includes(textAt(entry.role)));
  return {
    api: 'chat',
    streamed: body.stream === true,
    system: of('system', 'developer')
      .map((entry) => textOf(entry.content))
      .join('\n'),
    tools: listAt(body.tools).map((tool) => {
      const made = objectAt(tool.function);
      return {
        name: textAt(made.name),
        description: typeof made.description === 'string' ? made.description : undefined,
        schema: made.parameters,
      };
    }),
    prompts: of('user')
      .map((entry) => textOf(entry.content))
      .filter((text) => text !== ''),
    answers: of('tool').map((entry) => ({
      callId: textAt(entry.tool_call_id),
      text: textOf(entry.content),
      isError: false,
      images: countOf(entry.content, 'image_url'),
    })),
    images: total(of('user').map((entry) => countOf(entry.content, 'image_url'))),
    body,
  };
}

function envelope(ids: ReplyIds, model: string, object: string): JsonObject {
  return { id: ids.message, object, created: 1, model };
}

function said(reply: ModelReply, ids: ReplyIds): JsonObject {
  if (reply.kind === 'text') return { content: reply.text };
  const made = { name: reply.tool.name, arguments: JSON.stringify(reply.args) };
  return { content: null, tool_calls: [{ index: 0, id: ids.call, type: 'function', function: made }] };
}

function finish(reply: ModelReply): string {
  return reply.kind === 'text' ? 'stop' : 'tool_calls';
}

function stream(reply: ModelReply, ids: ReplyIds, model: string): readonly StreamedEvent[] {
  const chunk = (delta: JsonObject, reason: JsonValue) => ({
    data: {
      ...envelope(ids, model, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: reason }],
    },
  });
  return [
    chunk({ role: 'assistant', ...said(reply, ids) }, null),
    chunk({}, finish(reply)),
    { data: { ...envelope(ids, model, 'chat.completion.chunk'), choices: [], usage } },
  ];
}
