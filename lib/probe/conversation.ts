// A scripted conversation, told from the model's side as a story: wait for the harness to ask, call a tool, look at
// what it asks next. Requests that offer no tools (a title for the session, a summary) are answered by the way.

import type { JsonObject } from '../wire/json.js';
import type { ModelReply, ModelRequest, OfferedTool } from './model/conversation.js';
import type { ModelScript } from './model/model-server.js';
import { ordinaryPatience } from './patience.js';
import { ProbeError } from './probe-error.js';
import type { Trace } from './trace.js';

/** One request of the harness, waiting for the model's word. */
export interface Turn {
  readonly request: ModelRequest;
  /** Calls a tool, and resolves with the harness's next request. */
  call(tool: OfferedTool, args?: JsonObject, limitMs?: number): Promise<Turn>;
  /** Calls a tool, and waits for nothing. */
  start(tool: OfferedTool, args?: JsonObject): void;
  /** Says something, which ends the agent's turn. */
  say(text: string): void;
}

export interface Conversation {
  readonly script: ModelScript;
  /** The next request that offers tools. */
  next(limitMs?: number): Promise<Turn>;
  /** Ends every wait with this error, now and until another process of the harness is started. */
  fail(error: Error): void;
  /** Another process of the harness asks from here on; what the one before asked last is forgotten. */
  restart(): void;
}

interface Asked {
  readonly request: ModelRequest;
  readonly reply: (reply: ModelReply) => void;
}

/**
 * Starts a conversation of which nothing is said yet.
 *
 * @param ordinaryLimitMs how long a next request is waited for, where no other limit is given.
 */
export function startConversation(trace: Trace, ordinaryLimitMs = ordinaryPatience.requestMs): Conversation {
  const waiting: Asked[] = [];
  let wanted: ((asked: Asked) => void) | undefined;
  let failed: Error | undefined;
  const failures = new Set<(error: Error) => void>();

  const turnOf = ({ request, reply }: Asked): Turn => {
    const start = (tool: OfferedTool, args: JsonObject = {}) => {
      trace.add({ kind: 'model-said', text: `call ${toolName(tool)} ${JSON.stringify(args)}` });
      reply({ kind: 'call', tool, args });
    };
    return {
      request,
      start,
      call: (tool, args, limitMs) => {
        start(tool, args);
        return next(limitMs);
      },
      say: (text) => {
        trace.add({ kind: 'model-said', text });
        reply({ kind: 'text', text });
      },
    };
  };

  function next(limitMs = ordinaryLimitMs): Promise<Turn> {
    const ready = waiting.shift();
    if (ready !== undefined) return Promise.resolve(turnOf(ready));
    if (failed !== undefined) return Promise.reject(failed);
    return new Promise((done, refuse) => {
      const settle = () => {
        clearTimeout(timer);
        failures.delete(fail);
        wanted = undefined;
      };
      const fail = (error: Error) => {
        settle();
        refuse(error);
      };
      const timer = setTimeout(
        () => fail(new ProbeError(`the harness asked its model nothing for ${limitMs / 1000} s`)),
        limitMs,
      );
      failures.add(fail);
      wanted = (asked) => {
        settle();
        done(turnOf(asked));
      };
    });
  }

  return {
    next,
    fail: (error) => {
      failed ??= error;
      for (const fail of [...failures]) fail(error);
    },
    restart: () => {
      failed = undefined;
      waiting.length = 0;
    },
    script: (request) => {
      trace.add({ kind: 'model-asked', text: summary(request) });
      if (request.tools.length === 0) return { kind: 'text', text: 'ok' };
      return new Promise((reply) => {
        const asked = { request, reply };
        if (wanted === undefined) waiting.push(asked);
        else wanted(asked);
      });
    },
  };
}

/** The name of a tool with its namespace, as people would write it. */
export function toolName(tool: OfferedTool): string {
  return tool.namespace === undefined ? tool.name : `${tool.namespace} + ${tool.name}`;
}

function summary(request: ModelRequest): string {
  const last = request.answers.at(-1);
  const answer =
    last === undefined
      ? ''
      : `, last answer ${last.isError ? '(error) ' : ''}${JSON.stringify(last.text.slice(0, 300))}`;
  return `${request.api}, ${request.tools.length} tools, ${request.prompts.length} prompts, ${request.images} images${answer}`;
}
