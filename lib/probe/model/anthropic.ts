// The Anthropic messages API, as Claude Code speaks it.

import type { JsonObject } from '../../wire/json.js';
import type { ModelCodec, ModelReply, ModelRequest, ReplyIds, StreamedEvent } from './conversation.js';
import { countOf, listAt, objectAt, textAt, textOf, total } from './reading.js';

export const anthropic: ModelCodec = {
  api: 'anthropic',
  owns: (path) => /\/messages$/.test(path),
  read,
  stream,
  whole: (reply, ids, model) => ({
    ...message(ids, model),
    content: [block(reply, ids)],
    stop_reason: stopReason(reply),
  }),
};

function read(_path: string, body: JsonObject): ModelRequest {
  const messages = listAt(body.messages);
  const own = messages.filter((entry) => entry.role === 'user').map((entry) => entry.content);
  const results = own.flatMap((content) => listAt(content)).filter((part) => part.type === 'tool_result');
  return {
    api: 'anthropic',
    streamed: body.stream === true,
    system: textOf(body.system),
    tools: listAt(body.tools).map((tool) => ({
      name: textAt(tool.name),
      description: typeof tool.description === 'string' ? tool.description : undefined,
      schema: tool.input_schema,
    })),
    prompts: own.map(textOf).filter((text) => text !== ''),
    answers: results.map((part) => ({
      callId: textAt(part.tool_use_id),
      text: textOf(part.content),
      isError: part.is_error === true,
      images: countOf(part.content, 'image'),
    })),
    images: total(own.map((content) => countOf(content, 'image'))),
    body,
  };
}

function message(ids: ReplyIds, model: string): JsonObject {
  return {
    id: ids.message,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function block(reply: ModelReply, ids: ReplyIds): JsonObject {
  return reply.kind === 'text'
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: ids.call, name: reply.tool.name, input: reply.args };
}

function stopReason(reply: ModelReply): string {
  return reply.kind === 'text' ? 'end_turn' : 'tool_use';
}

function stream(reply: ModelReply, ids: ReplyIds, model: string): readonly StreamedEvent[] {
  const start = objectAt(block(reply, ids));
  const events: readonly JsonObject[] = [
    { type: 'message_start', message: message(ids, model) },
    {
      type: 'content_block_start',
      index: 0,
      content_block: reply.kind === 'text' ? { ...start, text: '' } : { ...start, input: {} },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta:
        reply.kind === 'text'
          ? { type: 'text_delta', text: reply.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ event: textAt(data.type), data }));
}
