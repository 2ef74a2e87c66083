// Gemini's generateContent, as Gemini CLI speaks it.

import type { JsonObject, JsonValue } from '../../wire/json.js';
import type { ModelCodec, ModelReply, ModelRequest, ReplyIds, StreamedEvent } from './conversation.js';
import { listAt, objectAt, textAt } from './reading.js';

export const gemini: ModelCodec = {
  api: 'gemini',
  owns: (path) => /:(stream)?generateContent$/i.test(path),
  read,
  stream: (reply, ids, model): readonly StreamedEvent[] => [{ data: answer(reply, ids, model) }],
  whole: answer,
};

function read(path: string, body: JsonObject): ModelRequest {
  const contents = listAt(body.contents);
  const parts = contents
    .filter((content) => content.role !== 'model')
    .flatMap((content) => listAt(content.parts));
  const responses = parts
    .filter((part) => 'functionResponse' in part)
    .map((part) => objectAt(part.functionResponse));
  const images = (list: readonly JsonObject[]) =>
    list.filter((part) => textAt(objectAt(part.inlineData).mimeType).startsWith('image/')).length;
  return {
    api: 'gemini',
    streamed: /:streamGenerateContent$/.test(path),
    system: listAt(objectAt(body.systemInstruction).parts)
      .map((part) => textAt(part.text))
      .join('\n'),
    tools: listAt(body.tools)
      .flatMap((tool) => listAt(tool.functionDeclarations))
      .map((tool) => ({
        name: textAt(tool.name),
        description: typeof tool.description === 'string' ? tool.description : undefined,
        schema: tool.parametersJsonSchema ?? tool.parameters,
      })),
    prompts: contents
      .filter((content) => content.role !== 'model')
      .map((content) =>
        listAt(content.parts)
          .map((part) => textAt(part.text))
          .join('\n'),
      )
      .filter((text) => text.trim() !== ''),
    answers: responses.map((response) => ({
      callId: textAt(response.id),
      text: answerText(response.response),
      isError: 'error' in objectAt(response.response),
      images: images(listAt(response.parts)),
    })),
    images: images(parts),
    body,
  };
}

/** Gemini CLI gives what a tool said as `output`, and what it failed with as `error`. */
function answerText(response: JsonValue | undefined): string {
  const output = objectAt(response).output;
  return typeof output === 'string' ? output : JSON.stringify(response ?? null);
}

function answer(reply: ModelReply, ids: ReplyIds, model: string): JsonObject {
  const part =
    reply.kind === 'text'
      ? { text: reply.text }
      : { functionCall: { id: ids.call, name: reply.tool.name, args: reply.args } };
  return {
    responseId: ids.message,
    modelVersion: model,
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
