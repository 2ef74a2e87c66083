// What a model is asked and what it answers, whichever of the four APIs carries it. Each API's file turns its
// requests into ModelRequest and a ModelReply into its stream; the script that decides sees only these.

import type { JsonObject, JsonValue } from '../../wire/json.js';

export type ModelApi = 'anthropic' | 'chat' | 'responses' | 'gemini';

/** A tool as the harness offers it to its model. */
export interface OfferedTool {
  /** The name to call it by. */
  readonly name: string;
  /** codex puts a server's tools into a namespace; the call has to name it. */
  readonly namespace?: string;
  readonly description: string | undefined;
  readonly schema: JsonValue | undefined;
}

/** What a tool call came back with, as the model sees it. */
export interface ToolAnswer {
  readonly callId: string;
  readonly text: string;
  /** Marked as an error, where the API has such a mark. */
  readonly isError: boolean;
  readonly images: number;
}

/** One request of a harness to its model. */
export interface ModelRequest {
  readonly api: ModelApi;
  readonly streamed: boolean;
  /** Instructions: system prompt, and for codex what stands beside it. */
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  /** The texts of the user's turns, oldest first. */
  readonly prompts: readonly string[];
  /** The tool calls answered so far in this conversation, oldest first. */
  readonly answers: readonly ToolAnswer[];
  /** Pictures among the user's own messages: where some harnesses put those of a tool. */
  readonly images: number;
  readonly body: JsonObject;
}

export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly tool: OfferedTool;
      readonly args: JsonObject;
    };

/** What the model has to make up: a name for the answer and for each call in it. */
export interface ReplyIds {
  readonly message: string;
  readonly call: string;
}

/** One server-sent event: its name, where the API names them, and its data. */
export interface StreamedEvent {
  readonly event?: string;
  readonly data: JsonValue;
}

/** How one API is read and answered. */
export interface ModelCodec {
  readonly api: ModelApi;
  /** Whether a request's path is this API's. */
  readonly owns: (path: string) => boolean;
  readonly read: (path: string, body: JsonObject) => ModelRequest;
  readonly stream: (reply: ModelReply, ids: ReplyIds, model: string) => readonly StreamedEvent[];
  /** The same answer in one piece. */
  readonly whole: (reply: ModelReply, ids: ReplyIds, model: string) => JsonValue;
  /** The line that ends the stream, where the API has one. */
  readonly end?: string;
}
