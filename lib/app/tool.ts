// A tool as an app author writes it, and the form in which it is registered.

import type { ContentBlock } from '../wire/content.js';
import type { JsonObject } from '../wire/json.js';
import { defaultTimeoutS, encodeTool, type WireTool } from '../wire/tool.js';

/** What a handler may return: a text, one content block, a list of them, or nothing. */
export type Answer = string | ContentBlock | readonly ContentBlock[] | undefined;

/** One call of a tool, as its handler gets it. */
export interface ToolCall {
  /** The call's id: the same one if the call comes again after a restart of the app. */
  readonly id: string;
  /** The name of the agent that calls. */
  readonly agent: string;
  /** The name of the tool. */
  readonly tool: string;
  /** Checked against the tool's schema before the app is asked. */
  readonly arguments: JsonObject;
  /** When the call times out; undefined for a handoff. */
  readonly deadline: Date | undefined;
  /** Aborted when nobody waits for the answer any more: cancelled, timed out, withdrawn, or the app closes. */
  readonly signal: AbortSignal;
  /**
   * Shows the agent how far the call has come. What is told faster than it can be sent is skipped but for the
   * latest; what cannot be sent is dropped.
   *
   * @param progress grows with each call of this function, in whatever unit `total` is in.
   * @param message at most 1,024 characters; longer ones are cut.
   */
  progress(progress: number, total?: number, message?: string): void;
}

/** One tool that an app offers. */
export interface ToolOffer {
  /** `^[A-Za-z][A-Za-z0-9_-]{0,45}$`; not starting with `leo_`. */
  readonly name: string;
  /** What the tool does and when to use it, for the agent; at most 4,096 characters. */
  readonly description?: string;
  /** JSON Schema of the arguments, its root of type `object`; no arguments when absent. */
  readonly inputSchema?: JsonObject;
  /** Seconds until a call times out, 120 when absent, at most 86,400. 0 is a handoff: it never times out. */
  readonly timeoutS?: number;
  /** Does the work. An error that it throws is told to the agent (see `ToolError`). */
  handler(call: ToolCall): Answer | Promise<Answer>;
}

/** The schema of a tool that takes no arguments. */
export const noArguments: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** A tool as it is registered. */
export function encodeOffer(offer: ToolOffer): WireTool {
  return encodeTool({
    name: offer.name,
    ...(offer.description === undefined ? {} : { description: offer.description }),
    inputSchema: offer.inputSchema ?? noArguments,
    timeoutS: offer.timeoutS ?? defaultTimeoutS,
  });
}
