// What the scripted model answers, as a client of each API puts it together: the documented order of events, and a
// reader that trusts nothing else.

import t from 'tap';
import { anthropic } from '../../../lib/probe/model/anthropic.js';
import { chat } from '../../../lib/probe/model/chat.js';
import type { ModelCodec, ModelReply } from '../../../lib/probe/model/conversation.js';
import { gemini } from '../../../lib/probe/model/gemini.js';
import { responses } from '../../../lib/probe/model/responses.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client takes it, whose fields are looked at one by one.
type Json = any;

const ids = { message: 'msg_7', call: 'call_7' };
const plain = { name: 'leo_x', description: 'X', schema: {} };
const text: ModelReply = { kind: 'text', text: 'Hello "you"\nthere' };
const call: ModelReply = { kind: 'call', tool: plain, args: { a: 'ü "x"', n: [1, { b: null }] } };
const spaced: ModelReply = { ...call, tool: { ...plain, name: 'x', namespace: 'mcp__leo' } };

/** What a client makes of an answer. */
interface Taken {
  readonly text?: string;
  readonly call?: { id: string; name: string; args: unknown; namespace?: string };
  readonly stop: string;
}

interface Client {
  readonly codec: ModelCodec;
  /** The events that a stream consists of, by their documented names, for a text and for a call. */
  readonly order: (kind: ModelReply['kind']) => readonly string[];
  readonly named: (event: Json) => string;
  readonly fromStream: (events: readonly Json[]) => Taken;
  readonly fromWhole: (answer: Json) => Taken;
  readonly stops: Readonly<Record<ModelReply['kind'], string>>;
}

const anthropicBlock = (block: Json, stop: string): Taken =>
  block.type === 'text'
    ? { text: block.text, stop }
    : { call: { id: block.id, name: block.name, args: block.input }, stop };
const chatMessage = (message: Json, stop: string): Taken => {
  const made = message.tool_calls?.[0];
  if (made === undefined) return { text: message.content, stop };
  const { name, arguments: args } = made.function;
  return { call: { id: made.id, name, args: JSON.parse(args) }, stop };
};
const responseItem = (item: Json, stop: string): Taken =>
  item.type === 'message'
    ? { text: item.content[0].text, stop }
    : {
        call: {
          id: item.call_id,
          name: item.name,
          args: JSON.parse(item.arguments),
          ...(item.namespace === undefined ? {} : { namespace: item.namespace }),
        },
        stop,
      };
const geminiAnswer = (answer: Json): Taken => {
  const [{ content, finishReason }] = answer.candidates;
  const [part] = content.parts;
  return 'text' in part
    ? { text: part.text, stop: finishReason }
    : {
        call: { id: part.functionCall.id, name: part.functionCall.name, args: part.functionCall.args },
        stop: finishReason,
      };
};

const clients: readonly Client[] = [
  {
    codec: anthropic,
    order: () => [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ],
    named: (event) => event.type,
    fromStream: ([start, { content_block: block }, { delta }, , { delta: end }]) => {
      t.strictSame(start.message.content, [], 'a message starts empty');
      t.equal(start.message.stop_reason, null);
      t.notOk(block.text, 'a block of text starts empty');
      t.strictSame(block.input ?? {}, {}, 'a block of a call starts empty');
      const whole =
        delta.type === 'text_delta'
          ? { ...block, text: delta.text }
          : { ...block, input: JSON.parse(delta.partial_json) };
      return anthropicBlock(whole, end.stop_reason);
    },
    fromWhole: ({ content: [block], stop_reason: stop }) => anthropicBlock(block, stop),
    stops: { text: 'end_turn', call: 'tool_use' },
  },
  {
    codec: chat,
    order: () => Array.from({ length: 3 }, () => 'chat.completion.chunk'),
    named: (event) => event.object,
    fromStream: ([first, end, usage]) => {
      t.equal(first.choices[0].delta.role, 'assistant');
      t.equal(first.choices[0].finish_reason, null);
      t.strictSame(usage.choices, []);
      t.match(usage.usage, { total_tokens: Number });
      return chatMessage(first.choices[0].delta, end.choices[0].finish_reason);
    },
    fromWhole: ({ choices: [{ message, finish_reason: stop }] }) => chatMessage(message, stop),
    stops: { text: 'stop', call: 'tool_calls' },
  },
  {
    codec: responses,
    order: (kind) => [
      'response.created',
      'response.output_item.added',
      ...(kind === 'text' ? ['response.output_text.delta'] : []),
      'response.output_item.done',
      'response.completed',
    ],
    named: (event) => event.type,
    fromStream: (events) => {
      t.strictSame(
        events.map((event) => event.sequence_number),
        events.map((_, index) => index),
        'events are numbered',
      );
      t.match(events[0].response, { status: 'in_progress', output: [] });
      const done = events.at(-2);
      const completed = events.at(-1);
      t.strictSame(completed.response.output, [done.item], 'the end holds what came before it');
      t.equal(completed.response.id, events[0].response.id);
      const taken = responseItem(done.item, completed.response.status);
      if (taken.text !== undefined) t.equal(events[2].delta, taken.text);
      return taken;
    },
    fromWhole: ({ output: [item], status }) => responseItem(item, status),
    stops: { text: 'completed', call: 'completed' },
  },
  {
    codec: gemini,
    order: () => ['chunk'],
    named: () => 'chunk',
    fromStream: ([event]) => geminiAnswer(event),
    fromWhole: geminiAnswer,
    stops: { text: 'STOP', call: 'STOP' },
  },
];

for (const { codec, order, named, fromStream, fromWhole, stops } of clients) {
  const replies = codec.api === 'responses' ? [text, call, spaced] : [text, call];
  for (const reply of replies) {
    const expected =
      reply.kind === 'text'
        ? { text: reply.text, stop: stops.text }
        : {
            call: {
              id: ids.call,
              name: reply.tool.name,
              args: reply.args,
              ...(reply.tool.namespace === undefined ? {} : { namespace: reply.tool.namespace }),
            },
            stop: stops.call,
          };
    t.test(`${codec.api}: a ${reply.kind} arrives, streamed and whole`, async (t) => {
      const events = codec.stream(reply, ids, 'm');
      const data = events.map((event) => event.data as Json);
      t.strictSame(data.map(named), order(reply.kind), 'in the documented order');
      // An event has its name twice, where the API names them.
      for (const { event, data } of events) if (event !== undefined) t.equal(event, (data as Json).type);
      t.strictSame(fromStream(data), expected);
      const whole = codec.whole(reply, ids, 'm') as Json;
      t.strictSame(fromWhole(whole), expected);
      t.equal(whole.id ?? whole.responseId, ids.message);
      t.equal(whole.model ?? whole.modelVersion, 'm');
    });
  }
}

t.test('only chat completions end in a line of their own', async (t) => {
  t.strictSame(
    clients.map(({ codec }) => codec.end),
    [undefined, '[DONE]', undefined, undefined],
  );
});
