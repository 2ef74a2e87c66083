// From what a handler returned or threw to what is posted, written as JSON once: the same text is sent again
// when an answer is lost, since the broker takes only an identical repeat (design 5).

import { type ContentBlock, maxFailureMessageLength } from '../../wire/content.js';
import { isObject } from '../../wire/json.js';
import { failureCodeOf } from '../errors.js';

/** A call's end as it is posted. */
export interface WrittenOutcome {
  /** `ok`, or the code of the failure. */
  readonly code: string;
  /** What a failure says; undefined for an answer. */
  readonly message: string | undefined;
  /** The members of the result's body that follow the client_id: `"ok":true,"content":[…]`. */
  readonly json: string;
}

/** The text of an answer that says nothing: agents are never given an empty one (design 7). */
export const noOutput = '(no output)';

/** What a handler returned. Anything but a text and content blocks is a failure `invalid_result`. */
export function outcomeOfReturn(value: unknown): WrittenOutcome {
  const content = contentOf(value);
  if (content === undefined) {
    const what =
      value === null ? 'null' : Array.isArray(value) ? 'a list with something else in it' : typeof value;
    return failure('invalid_result', `the tool's handler must return a text or content blocks, not ${what}`);
  }
  try {
    return { code: 'ok', message: undefined, json: `"ok":true,"content":${JSON.stringify(content)}` };
  } catch (error) {
    return failure('invalid_result', `the tool's answer is no JSON: ${messageOf(error)}`);
  }
}

/** What a handler threw: its code if it has one that an agent may be shown, `app_error` otherwise. */
export function outcomeOfThrow(thrown: unknown): WrittenOutcome {
  return failure(failureCodeOf(thrown) ?? 'app_error', messageOf(thrown));
}

/** A failure; a message over the limit is cut. */
export function failure(code: string, message: string): WrittenOutcome {
  const text = bounded(message.trim() === '' ? 'the tool failed and did not say why' : message);
  return { code, message: text, json: `"ok":false,"error":${JSON.stringify({ code, message: text })}` };
}

/** The body of the result's POST. */
export function resultBody(clientId: string, outcome: WrittenOutcome): string {
  return `{"client_id":${JSON.stringify(clientId)},${outcome.json}}`;
}

function contentOf(value: unknown): readonly ContentBlock[] | undefined {
  if (value === undefined) return [{ type: 'text', text: noOutput }];
  if (typeof value === 'string') return [{ type: 'text', text: /\S/.test(value) ? value : noOutput }];
  if (isBlock(value)) return [value];
  if (!Array.isArray(value) || !value.every(isBlock)) return undefined;
  return value.length === 0 ? [{ type: 'text', text: noOutput }] : value;
}

function isBlock(value: unknown): value is ContentBlock {
  return isObject(value) && typeof value.type === 'string';
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function bounded(text: string): string {
  return text.length <= maxFailureMessageLength ? text : `${text.slice(0, maxFailureMessageLength - 1)}…`;
}
