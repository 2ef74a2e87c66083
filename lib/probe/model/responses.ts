// OpenAI responses, as codex speaks it.

import type { JsonObject } from '../../wire/json.js';
import type {
  ModelCodec,
  ModelReply,
  ModelRequest,
  OfferedTool,
  ReplyIds,
  StreamedEvent,
} from './conversation.js';
import { countOf, listAt, textAt, textOf, total } from './reading.js';

export const responses: ModelCodec = {
  api: 'responses',
  owns: (path) => /\/responses$/.test(path),
  read,
  stream,
  whole: (reply, ids, model) => completed(reply, ids, model),
};

function read(_path: string, body: JsonObject): ModelRequest {
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listAt(body.input);
  const messages = (...roles: readonly string[]) => input.filter((item) => roles.includes(textAt(item.role)));
  return {
    api: 'responses',
    streamed: body.stream === true,
    system: [
      textAt(body.instructions),
      ...messages('system', 'developer').map((item) => textOf(item.content)),
    ].join('\n'),
    tools: listAt(body.tools).flatMap(offered),
    prompts: messages('user')
      .map((item) => textOf(item.content))
      .filter((text) => text !== ''),
    answers: input
      .filter((item) => item.type === 'function_call_output')
      .map((item) => ({
        callId: textAt(item.call_id),
        text: textOf(item.output),
        isError: false,
        images: countOf(item.output, 'input_image'),
      })),
    images: total(messages('user').map((item) => countOf(item.content, 'input_image'))),
    body,
  };
}

/** A tool, or the tools of a namespace with the namespace's description before each one's own. */
function offered(tool: JsonObject): readonly OfferedTool[] {
  if (tool.type === 'namespace') {
    return listAt(tool.tools).map((inner) => ({
      ...function_(inner),
      namespace: textAt(tool.name),
    }));
  }
  return [function_(tool)];
}

function function_(tool: JsonObject): OfferedTool {
  return {
    name: textAt(tool.name),
    description: typeof tool.description === 'string' ? tool.description : undefined,
    schema: tool.parameters,
  };
}

function item(reply: ModelReply, ids: ReplyIds): JsonObject {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return { type: 'message', id: ids.call, role: 'assistant', status: 'completed', content };
  }
  return {
    type: 'function_call',
    id: `fc_${ids.call}`,
    call_id: ids.call,
    status: 'completed',
    name: reply.tool.name,
    ...(reply.tool.namespace === undefined ? {} : { namespace: reply.tool.namespace }),
    arguments: JSON.stringify(reply.args),
  };
}

function completed(reply: ModelReply, ids: ReplyIds, model: string): JsonObject {
  return {
    id: ids.message,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output: [item(reply, ids)],
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  };
}

function stream(reply: ModelReply, ids: ReplyIds, model: string): readonly StreamedEvent[] {
  const response = completed(reply, ids, model);
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const events: readonly JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.output_item.added', output_index: 0, item: item(reply, ids) },
    ...(reply.kind === 'text'
      ? [
          {
            type: 'response.output_text.delta',
            item_id: ids.call,
            output_index: 0,
            content_index: 0,
            delta: reply.text,
          },
        ]
      : []),
    { type: 'response.output_item.done', output_index: 0, item: item(reply, ids) },
    { type: 'response.completed', response },
  ];
  return events.map((data, index) => ({
    event: textAt(data.type),
    data: { ...data, sequence_number: index },
  }));
}
